import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { catalogue } from '../../src/catalogue.ts'

const file = resolve(import.meta.dirname, '../../docs/guides/a2a.md')
const page = readFileSync(file, 'utf8')

test('the page of A2A lists every older intent beside its replacement', () => {
  const rows = [...page.matchAll(/^\| (`.+?) \| (`.+?) \|$/gm)].flatMap(
    ([, now = '', older = '']) => {
      const names = older.split(', ')
      return now.split(', ').map((name, nth) => [name, names[nth]].join(' ').replaceAll('`', ''))
    },
  )
  const aliases = catalogue.flatMap(({ a2a, formerly }) => (formerly ? [`${a2a} ${formerly}`] : []))
  expect(rows.filter((row) => row.includes('.')).toSorted()).toEqual(aliases.toSorted())
})
