import { fitColumns, GAP } from './fit-columns.ts'
import type { Tone } from './paint.ts'
import { printable } from './printable.ts'
import type { Screen } from './screen.ts'
import { pad, widthOf } from './width.ts'

/** Columns that a text can do with before it says nothing. */
const LEAST = 8

/**
 * A column. `whole`: never cut, as it is to be copied; `least`: cut to no less. `dispensable`: left out on a narrow screen, the highest number
 * first.
 */
export type Column<Row> = {
  head: string
  cell(row: Row): string
  tone?(row: Row): Tone | undefined
  align?: 'right'
  whole?: true
  least?: number
  dispensable?: number
}

/** Rows under a head, no wider than the screen. Texts of strangers are safe in it. */
export function table<Row>(
  { width, paint }: Screen,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const cells = rows.map((row) => columns.map(({ cell }) => printable(cell(row))))
  const wishes = columns.map(({ head, whole, least = LEAST, dispensable }, index) => {
    const natural = Math.max(widthOf(head), ...cells.map((row) => widthOf(row[index] ?? '')))
    return { natural, least: whole ? natural : Math.min(natural, least), dispensable }
  })
  const widths = fitColumns(wishes, width)
  const line = (texts: readonly string[], toneAt: (index: number) => Tone | undefined) => {
    const shown = widths.flatMap((size, index) => (size > 0 ? [{ size, index }] : []))
    const parts = shown.map(({ size, index }, place) => {
      const padded = pad(texts[index] ?? '', size, columns[index]?.align)
      return paint(place === shown.length - 1 ? padded.trimEnd() : padded, toneAt(index))
    })
    return parts.join(' '.repeat(GAP)).trimEnd()
  }
  return [
    line(
      columns.map(({ head }) => head),
      () => 'faint',
    ),
    ...cells.map((texts, nth) =>
      line(texts, (index) => columns[index]?.tone?.(rows[nth] as Row) ?? undefined),
    ),
  ].join('\n')
}
