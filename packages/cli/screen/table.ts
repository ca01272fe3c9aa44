import { pad, widthOf } from '../../../src/platform/command-line/width.ts'
import { type ColumnWidths, fitColumns, GAP } from './fit-columns.ts'
import type { Tone } from './paint.ts'
import { printable } from './printable.ts'
import type { Screen } from './screen.ts'

/** A narrower text is unreadable. */
const LEAST = 8

/**
 * A column. `whole`: never truncated, meant to be copied; `least`: minimum width; `dispensable`:
 * dropped on a narrow screen, highest number first.
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

/** A table no wider than the screen, without empty columns. Accepts untrusted texts. */
export function table<Row>(
  { width, paint }: Screen,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
): string {
  const all = columns.map((column) => ({
    ...column,
    cells: rows.map((row) => printable(column.cell(row))),
  }))
  const nonEmpty = all.filter(({ cells }) => rows.length === 0 || cells.some((cell) => cell !== ''))
  const widths = fitColumns(nonEmpty.map(widthsOf), width)
  const visible = nonEmpty.flatMap((column, index) => {
    const size = widths[index] ?? 0
    return size > 0 ? [{ ...column, size }] : []
  })
  const head = visible.map(({ head, size, align }) => paint(pad(head, size, align), 'faint'))
  const lines = rows.map((row, nth) =>
    visible.map(({ cells, size, align, tone }) =>
      paint(pad(cells[nth] ?? '', size, align), tone?.(row)),
    ),
  )
  return [head, ...lines].map((parts) => parts.join(' '.repeat(GAP)).trimEnd()).join('\n')
}

function widthsOf({
  head,
  cells,
  whole,
  least = LEAST,
  dispensable,
}: Pick<Column<never>, 'head' | 'whole' | 'least' | 'dispensable'> & {
  cells: string[]
}): ColumnWidths {
  const natural = Math.max(widthOf(head), ...cells.map(widthOf))
  return { natural, least: whole ? natural : Math.min(natural, least), dispensable }
}
