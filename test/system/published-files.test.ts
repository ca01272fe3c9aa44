import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { matchesGlob, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { attachments, documentEntries } from '../../src/doors/web/public/documents.ts'

const root = resolve(import.meta.dirname, '../..')
const published = [
  ...documentEntries.map(({ name }) => `docs/${name}.md`),
  ...attachments.map((path) => `docs/${path}`),
]

test('the image has every file that is published', () => {
  const patterns = readFileSync(resolve(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('!'))
    .map((line) => line.slice(1))
  const isIn = (path: string) =>
    patterns.some((pattern) => matchesGlob(path, pattern) || path.startsWith(`${pattern}/`))
  expect(published.filter((path) => !existsSync(resolve(root, path)))).toEqual([])
  expect(published.filter((path) => !isIn(path))).toEqual([])
})

/** For those who run the network or work on it; everybody else would be led astray. */
const kept = ['operations', 'production']

test('every document is published, or is kept for those who run the network', () => {
  const names = readdirSync(resolve(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.slice(0, -'.md'.length))
  expect(names.toSorted()).toEqual([...documentEntries.map(({ name }) => name), ...kept].toSorted())
})
