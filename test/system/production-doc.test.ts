import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { configVariables, readConfig } from '../../src/config/config.ts'

const file = resolve(import.meta.dirname, '../../docs/operate/production.md')
const rows = [...readFileSync(file, 'utf8').matchAll(/^\| `(\w+)` \| (.+?) \| (.+?) \|$/gm)].map(
  ([, name = '', value = '', meaning = '']) => ({ name, value, meaning }),
)

test('the environment table has every variable once, and no other', () => {
  const documented = rows.map(({ name }) => name)
  expect(documented.sort()).toEqual([...configVariables].sort())
})

test('the defaults in the table match the configuration', () => {
  const { temporal: _, ...variables } = readConfig({})
  const defaults = Object.entries(variables)
  for (const [name, value] of defaults) {
    const shown = rows.find((row) => row.name === name)?.value
    const expected = `${value}` === '' ? 'none' : `\`${value}\``
    expect([name, shown]).toEqual([name, expected])
  }
})
