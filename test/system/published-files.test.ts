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

/** Documents for operators and maintainers only. */
const kept = [
  'areas',
  'commands',
  'importing-venues',
  'managed-services',
  'operations',
  'payments',
  'production',
  'security',
  'sizing',
  'venue-commands',
  'worker-versions',
  'x402',
]

test('every document is published, or is for operators only', () => {
  const names = globSync('docs/{guides,operate,protocols}/*.md', { cwd: root }).map((path) =>
    basename(path, '.md'),
  )
  expect(names.toSorted()).toEqual([...documentEntries.map(({ name }) => name), ...kept].toSorted())
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
