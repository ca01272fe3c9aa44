import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ColumnWidths, fitColumns, GAP } from '../../packages/cli/screen/fit-columns.ts'
import { inColour, withoutColour } from '../../packages/cli/screen/paint.ts'
import type { Screen } from '../../packages/cli/screen/screen.ts'
import { table } from '../../packages/cli/screen/table.ts'
import { cut, pad, widthOf, wrap } from '../../src/platform/command-line/width.ts'

const wish = fc
  .record({
    natural: fc.integer({ min: 1, max: 60 }),
    least: fc.integer({ min: 1, max: 60 }),
    dispensable: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  .map(
    ({ natural, least, dispensable }): ColumnWidths => ({
      natural,
      least: Math.min(natural, least),
      dispensable,
    }),
  )
const wishes = fc.array(wish, { minLength: 1, maxLength: 8 })
const anyText = fc.string({ unit: 'grapheme', maxLength: 40 })
const screen = (width: number): Screen => ({
  width,
  paint: withoutColour,
  zone: 'UTC',
  program: 'p',
})

/** The width of a line, in which dropped columns leave no gap. */
const lineOf = (widths: readonly number[]) => {
  const shown = widths.filter((width) => width > 0)
  return shown.reduce((sum, width) => sum + width, 0) + GAP * Math.max(0, shown.length - 1)
}

test('columns never exceed the screen or their natural width', () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 1, max: 200 }), (all, width) => {
      const widths = fitColumns(all, width)
      expect(lineOf(widths)).toBeLessThanOrEqual(width)
      for (const [index, { natural }] of all.entries())
        expect(widths[index]).toBeLessThanOrEqual(natural)
    }),
  )
})

test('every column has its natural width if there is room', () => {
  fc.assert(
    fc.property(wishes, (all) => {
      const naturals = all.map(({ natural }) => natural)
      expect(fitColumns(all, lineOf(naturals))).toEqual(naturals)
      expect(fitColumns(all, Number.POSITIVE_INFINITY)).toEqual(naturals)
    }),
  )
})

test('a required column keeps its minimum width if the screen has room for all of them', () => {
  fc.assert(
    fc.property(wishes, fc.integer({ min: 0, max: 100 }), (all, more) => {
      const needed = all.filter(({ dispensable }) => dispensable === undefined)
      fc.pre(needed.length > 0)
      const widths = fitColumns(all, lineOf(needed.map(({ least }) => least)) + more)
      for (const [index, { least, dispensable }] of all.entries()) {
        if (dispensable === undefined) expect(widths[index]).toBeGreaterThanOrEqual(least)
      }
    }),
  )
})

test('columns with the highest number are dropped first', () => {
  const all = [1, 3, 2].map((dispensable) => ({ natural: 10, least: 10, dispensable }))
  expect(fitColumns(all, 34)).toEqual([10, 10, 10])
  expect(fitColumns(all, 33)).toEqual([10, 0, 10])
  expect(fitColumns(all, 21)).toEqual([10, 0, 0])
})

test('cutting, padding and wrapping respect the width for any text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, width) => {
      expect(widthOf(cut(text, width))).toBeLessThanOrEqual(width)
      expect(widthOf(pad(text, width))).toBe(width)
      for (const line of wrap(text, width)) expect(widthOf(line)).toBeLessThanOrEqual(width)
      if (widthOf(text) <= width) expect(cut(text, width)).toBe(text)
    }),
  )
})

test('wrapping drops nothing but spaces', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 2, max: 30 }), (text, width) => {
      const without = (one: string) => one.replaceAll(' ', '')
      expect(without(wrap(text, width).join(''))).toBe(without(text))
    }),
  )
})

test.each([
  ['Café', 4],
  ['寿司 Bar', 8],
  ['한식', 4],
  ['🍣 bar', 6],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['', 0],
])('%j takes %i columns', (text, width) => expect(widthOf(text)).toBe(width))

test('a cut text ends with an ellipsis', () =>
  expect([cut('Angin Laut Sushi', 10), cut('寿司', 2)]).toEqual(['Angin Lau…', '…']))

type Row = { id: string; name: string }
const columns = [
  { head: 'ID', cell: ({ id }: Row) => id, whole: true as const },
  { head: 'NAME', cell: ({ name }: Row) => name, tone: () => 'good' as const },
]

test('no line of a table is longer than the screen, whatever its content', () => {
  const row = fc.record({ id: anyText, name: fc.string({ unit: 'binary', maxLength: 60 }) })
  fc.assert(
    fc.property(
      fc.array(row, { maxLength: 5 }),
      fc.integer({ min: 1, max: 120 }),
      (rows, width) => {
        const lines = table(screen(width), columns, rows).split('\n')
        expect(lines).toHaveLength(rows.length + 1)
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('a column to be copied stays whole if there is room, and the others are cut', () => {
  const rows = [{ id: '01a1fe14-6cb9-7562-8d94-b8aa549d7d5d', name: 'Angin Laut Sushi' }]
  const lines = table(screen(48), columns, rows).split('\n')
  expect(lines[1]).toBe('01a1fe14-6cb9-7562-8d94-b8aa549d7d5d  Angin Lau…')
})

test('control characters in a name neither reach the terminal nor fake a line', () => {
  const name = 'Sushi\u001b[2J\u001b]0;owned\u0007\nconfirmed\u202egnp'
  const shown = table({ ...screen(200), paint: inColour }, columns, [{ id: 'a', name }])
  expect(shown.split('\n')).toHaveLength(2)
  for (const control of ['\u001b[2J', '\u001b]', '\u0007', '\u202e']) {
    expect(shown).not.toContain(control)
  }
  expect(shown).toContain('\u001b[32m')
})
