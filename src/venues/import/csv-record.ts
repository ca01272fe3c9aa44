import { importedFields, venueFieldEntries, venueFieldNames } from '../../contract/venue-fields.ts'

const place = ['area', 'currency'] as const
const plain = ['hours', 'seats', 'tables', 'stay_minutes', 'spend_per_guest_minor'] as const

/** Columns of JSON. */
const lists = ['services', 'resources'] as const

/** The fields that are objects, each with a column for every member. */
export const partedFields = venueFieldEntries.flatMap(([name, { parts }]) =>
  parts ? [{ name, parts }] : [],
)

/** The columns of a CSV file, in the order of an export. */
export const columns: readonly string[] = [
  'id',
  ...venueFieldEntries.flatMap(([name, { parts }]) => parts ?? [name]),
  ...place,
  ...plain,
  'source',
  ...lists,
]

const required: readonly string[] = [
  'id',
  ...venueFieldNames.filter((name) => !importedFields[name].safeParse(undefined).success),
]
const numbers: ReadonlySet<string> = new Set(['seats', 'stay_minutes', 'spend_per_guest_minor'])

const fieldByColumn = new Map(
  partedFields.flatMap(({ name, parts }) => parts.map((part) => [part, name] as const)),
)
const typeByColumn = new Map<string, string>(
  venueFieldEntries.map(([name, { sql }]) => [name, sql] as const),
)

const kindOf = (column: string) => {
  const sql = typeByColumn.get(column) ?? 'text'
  return numbers.has(column) || sql === 'smallint' || sql === 'float8' ? 'number' : sql
}

/** A header; columns without a name must be empty in every row. */
export type Header = readonly string[]

/** The columns of a header; throws if any is unknown, as no row could then be read. */
export function readHeader(cells: readonly string[]): Header {
  const names = cells.map((cell) => cell.trim().toLowerCase().replace(/[ -]+/g, '_'))
  const wrong = names.find((name) => name !== '' && !isColumn(name))
  if (wrong !== undefined) {
    const cell = JSON.stringify(wrong.slice(0, 60))
    throw new Error(
      `The first row must name the columns, separated by commas, in UTF-8; ${cell} is not one.\n` +
        `Columns are ${columns.join(', ')}.`,
    )
  }
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice) throw new Error(`The first row names the column ${twice} twice.`)
  const lacking = required.filter((name) => !names.includes(name))
  if (lacking.length > 0) throw new Error(`The first row lacks ${lacking.join(', ')}.`)
  return names
}

const isColumn = (name: string): boolean => columns.includes(name)

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
    const whole = fieldByColumn.get(column)
    if (whole) record[whole] = { ...(record[whole] as object), [column]: value }
    else record[column] = value
  }
  return { record }
}

const whole = /^-?\d+$/
const decimal = /^-?\d+(\.\d+)?$/
const flags: Record<string, boolean> = Object.fromEntries([
  ...['true', 'yes', 'y', '1'].map((word) => [word, true]),
  ...['false', 'no', 'n', '0'].map((word) => [word, false]),
])

function fieldOf(column: string, cell: string, hasDecimalCommas: boolean): unknown {
  const text = cell.trim()
  if (column === 'services' || column === 'resources') return parsedJson(text)
  switch (kindOf(column)) {
    case 'number':
      return numberOf(column, hasDecimalCommas ? text.replace(',', '.') : text) ?? cell
    case 'text[]':
      return cell.split(';').filter((item) => item.trim() !== '')
    case 'jsonb':
      return photosOf(cell)
    case 'boolean':
      return flags[text.toLowerCase()] ?? cell
    default:
      return cell
  }
}

/** A whole number with a separator is left as text and refused: 1.000 may be one or a thousand. */
function numberOf(column: string, text: string): number | undefined {
  const isFraction = column === 'latitude' || column === 'longitude'
  return (isFraction ? decimal : whole).test(text) ? Number(text) : undefined
}
/** Photos are separated like tags; the credit follows the address after a space. */
const photosOf = (cell: string) =>
  cell
    .split(';')
    .map((photo) => photo.trim())
    .filter(Boolean)
    .map((photo) => {
      const [url = ''] = photo.split(/\s/, 1)
      return { url, credit: photo.slice(url.length).trim() || null }
    })

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
