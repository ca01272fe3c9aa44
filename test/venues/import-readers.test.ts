import fc from 'fast-check'
import { expect, test } from 'vitest'
import { csvRows } from '../../src/venues/import/csv-rows.ts'
import { jsonElements } from '../../src/venues/import/json-elements.ts'
import { collect, inParts } from './import-load.ts'

const rowsOf = async (text: string, length: number) => {
  const pieces = await collect(csvRows(inParts(text, length)))
  return pieces.map((piece) => ('value' in piece ? piece.value : piece.problem))
}

const cell = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
const characters = fc.constantFrom('a', 'é', '"', ',', '\n', '\r', ' ', ';', '😀')
const text = fc.string({ unit: characters, maxLength: 8 })

test('CSV with any cells is read correctly, in any chunks', async () => {
  const rows = fc.array(fc.array(text, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(rows, fc.integer({ min: 1, max: 20 }), async (table, length) => {
      const csv = table.map((row) => row.map(cell).join(',')).join('\r\n')
      expect(await rowsOf(csv, length)).toEqual(table)
    }),
  )
})

test('JSON with any values is read correctly, in any chunks', async () => {
  const values = fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 })
  await fc.assert(
    fc.asyncProperty(values, fc.integer({ min: 1, max: 20 }), async (list, length) => {
      for (const json of [list, { a: [{ features: 1 }], venues: list }]) {
        const written = JSON.stringify(json, undefined, 1)
        const pieces = await collect(jsonElements(inParts(written, length)))
        expect(pieces.map((piece) => 'value' in piece && piece.value)).toEqual(
          JSON.parse(JSON.stringify(list)),
        )
      }
    }),
  )
})

test.each([1, 7, 10_000])('rows and lines are counted as in an editor (%i)', async (length) => {
  const csv = 'a,b\n"x\ny",2\n\n3,4\n"x"y,5\n6,7"'
  const pieces = await collect(csvRows(inParts(csv, length)))
  expect(pieces.map(({ row, line }) => [row, line])).toEqual([
    [1, 1],
    [2, 2],
    [3, 5],
    [4, 6],
    [5, 7],
  ])
  expect(pieces.at(-1)).toMatchObject({ value: ['6', '7"'] })
  const json = '[\n1,\n\n{"a":\n2},\n{,3]'
  const elements = await collect(jsonElements(inParts(json, length)))
  expect(elements.map(({ row, line }) => [row, line])).toEqual([
    [1, 2],
    [2, 4],
    [3, 6],
  ])
})
