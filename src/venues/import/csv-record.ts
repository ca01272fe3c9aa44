import { importedFields, venueFieldNames, venueFields } from '../../contract/venue-fields.ts'

const place = ['area', 'currency'] as const
const plain = ['hours', 'seats', 'tables', 'stay_minutes', 'spend_per_guest_minor'] as const

/** Columns of JSON. */
const lists = ['services', 'resources'] as const

/** The columns of a CSV file, in the order of an export. */
export const columns = ['id', ...venueFieldNames, ...place, ...plain, 'source', ...lists] as const
export type Column = (typeof columns)[number]

const required: readonly Column[] = [
  'id',
  ...venueFieldNames.filter((name) => !importedFields[name].safeParse(undefined).success),
]
const numbers: ReadonlySet<Column> = new Set(['seats', 'stay_minutes', 'spend_per_guest_minor'])

const kindOf = (column: Column) => {
  const sql = column in venueFields ? venueFields[column as keyof typeof venueFields].sql : 'text'
  return numbers.has(column) || sql === 'smallint' || sql === 'float8' ? 'number' : sql
}

/** A header; columns without a name must be empty in every row. */
export type Header = readonly (Column | '')[]

/** The columns of a header; throws if any is unknown, as no row could then be read. */
export function readHeader(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase().replace(/[ -]+/g, '_'))
  const wrong = names.find((name) => name !== '' && !isColumn(name))
  if (wrong !== undefined) {
    const cell = JSON.stringify(wrong.slice(0, 60))
    throw new Error(
      `The first row must name the columns, separated by commas, in UTF-8; ${cell} is none.\n` +
        `Columns are ${columns.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice) throw new Error(`The first row names the column ${twice} twice.`)
  const lacking = required.filter((name) => !names.includes(name))
  if (lacking.length > 0) throw new Error(`The first row lacks ${lacking.join(', ')}.`)
  return names.map((name) => (isColumn(name) ? name : ''))
}

const isColumn = (name: string): name is Column => columns.some((column) => column === name)

/** The unvalidated record of a row; empty cells are ignored. */
export function recordOf(
  header: Header,
  cells: readonly string[],
  hasDecimalCommas = false,
): { record: Record<string, unknown> } | { problem: string } {
  if (cells.length !== header.length) {
    return { problem: `has ${cells.length} columns, the first row ${header.length}` }
  }
  const record: Record<string, unknown> = {}
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    if (column === '') return { problem: `has a value in column ${index + 1}, which has no name` }
    const value = fieldOf(column, cell, hasDecimalCommas)
    if (value === undefined) return { problem: `${column}: is not JSON` }
    record[column] = value
  }
  return { record }
}

const decimal = /^-?\d+(\.\d+)?$/
const flags: Record<string, boolean> = Object.fromEntries([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true]),
  ...['false', 'no', 'n', '0'].map((word) => [word, false]),
])

function fieldOf(column: Column, cell: string, hasDecimalCommas: boolean): unknown {
  const text = cell.trim()
  if (column === 'services' || column === 'resources') return parsedJson(text)
  switch (kindOf(column)) {
    case 'number':
      return numberOf(hasDecimalCommas ? text.replace(',', '.') : text) ?? cell
    case 'text[]':
      return cell.split(';').filter((item) => item.trim() !== '')
    case 'boolean':
      return flags[text.toLowerCase()] ?? cell
    default:
      return cell
  }
}

const numberOf = (text: string) => (decimal.test(text) ? Number(text) : undefined)

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
