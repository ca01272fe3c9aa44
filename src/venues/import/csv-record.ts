import { importedFields, venueFieldNames, venueFields } from '../../contract/venue-fields.ts'

const flat = [
  'area',
  'currency',
  'hours',
  'seats',
  'tables',
  'stay_minutes',
  'spend_per_guest_minor',
  'source',
  'offerings',
] as const

/** The columns of a CSV file, in the order in which an export writes them. */
export const columns = ['id', ...venueFieldNames, ...flat] as const
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

/** Which columns a header names; throws what is wrong with it, as nothing below it can be read then. */
export function readHeader(cells: readonly string[]): Column[] {
  const names = cells.map((cell) => cell.trim().toLowerCase())
  const wrong = names.find((name) => !isColumn(name))
  if (wrong !== undefined) {
    throw new Error(
      `The first row must name the columns, separated by commas, in UTF-8; ${JSON.stringify(wrong.slice(0, 60))} is none.\n` +
        `Columns are ${columns.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice) throw new Error(`The first row names the column ${twice} twice.`)
  const lacking = required.filter((name) => !names.includes(name))
  if (lacking.length > 0) throw new Error(`The first row lacks ${lacking.join(', ')}.`)
  return names.filter(isColumn)
}

const isColumn = (name: string): name is Column => columns.some((column) => column === name)

/** The record that a row of cells stands for, not yet checked; an empty cell says nothing. */
export function recordOf(
  header: readonly Column[],
  cells: readonly string[],
): { record: Record<string, unknown> } | { problem: string } {
  if (cells.length !== header.length) {
    return { problem: `has ${cells.length} columns, the first row ${header.length}` }
  }
  const record: Record<string, unknown> = {}
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    const value = fieldOf(column, cell)
    if (value === undefined) return { problem: `${column}: is not JSON` }
    record[column] = value
  }
  return { record }
}

const decimal = /^-?\d+(\.\d+)?$/

function fieldOf(column: Column, cell: string): unknown {
  const text = cell.trim()
  if (column === 'offerings') return parsedJson(text)
  switch (kindOf(column)) {
    case 'number':
      return decimal.test(text) ? Number(text) : cell
    case 'text[]':
      return cell.split(';').filter((item) => item.trim() !== '')
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : cell
    default:
      return cell
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
