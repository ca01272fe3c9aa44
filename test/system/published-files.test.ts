import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, matchesGlob, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { attachments, documentEntries } from '../../src/web/docs/documents.ts'
import { renderMarkdown } from '../../src/web/site/markdown.ts'

const root = resolve(import.meta.dirname, '../..')
const published = [
  ...documentEntries.map(({ folder, name }) => `docs/${folder}/${name}.md`),
  ...attachments.map((path) => `docs/protocols/${path}`),
]

test('the image has every published file', () => {
  const patterns = readFileSync(resolve(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const isIn = (path: string) =>
    patterns.some((pattern) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`))
  expect(published.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
  expect(published.filter((path) => !isIn(path))).toEqual([])
})

test('every document is published under a name of its own', () => {
  const names = globSync('docs/{guides,operate,protocols}/*.md', { cwd: root }).map((path) =>
    basename(path, '.md'),
  )
  expect(documentEntries.map(({ name }) => name).toSorted()).toEqual(names.toSorted())
  expect(new Set(names).size).toBe(names.length)
})

const LINK = /\[[^\]]*\]\((?!https?:|mailto:|\/)([^)\s#]*)(?:#([^)\s]*))?\)/g

test.each(globSync(['*.md', 'docs/**/*.md', 'packages/*/*.md', 'tools/**/*.md'], { cwd: root }))(
  'every link in %s leads to an existing file and heading',
  (path) => {
    const text = readFileSync(resolve(root, path), 'utf8')
    const broken = [...text.matchAll(LINK)].filter(([, file = '', anchor]) => {
      const target = file ? resolve(root, dirname(path), file) : resolve(root, path)
      if (!existsSync(target)) return true
      if (!anchor) return false
      const { headings } = renderMarkdown(readFileSync(target, 'utf8'))
      return !headings.some((heading) => heading.anchor === anchor)
    })
    expect(broken.map(([link]) => link)).toEqual([])
  },
)

const BLOCK = /^```(?:bash)?\n(.*?)^```$/gms

test.each(globSync('docs/{guides,protocols}/*.md', { cwd: root }))(
  'every variable in the samples of %s is set on the page, and the key is named',
  (path) => {
    const text = readFileSync(resolve(root, path), 'utf8')
    const code = [...text.matchAll(BLOCK)].map(([, block]) => block).join('\n')
    const used = new Set([...code.matchAll(/\$([A-Z_]+)\b/g)].map(([, name]) => name))
    const unset = [...used].filter((name) => !new RegExp(`\\b${name}=`).test(code))
    expect(unset.filter((name) => name !== 'KEY')).toEqual([])
    if (used.has('KEY')) expect(text).toMatch(/API\s+key/)
  },
)

test.each(globSync('docs/{guides,operate,protocols}/*.md', { cwd: root }))(
  'no link in %s depends on a host: those to pages lead to the network of npm start',
  (path) => {
    const text = readFileSync(resolve(root, path), 'utf8')
    expect(text.match(/\]\(\/[^)]*\)/g) ?? []).toEqual([])
  },
)
