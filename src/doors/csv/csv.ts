import { formula } from '../../contract/safe-text.ts'

/** Includes `;` and tabs, because some spreadsheets use them as separators instead of commas. */
const NEEDS_QUOTES = /[",;\t\r\n]|^\s|\s$/

/** A row in RFC 4180 format. Text that a spreadsheet would execute gets a leading apostrophe. */
export const csvRow = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\r\n`

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = formula.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The value at a path such as `venue.name`; the path is also the column's name. */
export const valueAt = (item: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null)?.[name], item)
