import { countOf, MAX_CHARACTERS, type Piece } from './piece.ts'

const MAX_CELLS = 200
const UNCLOSED = 'a quote is never closed; inside quotes, write a quote twice'

/**
 * Streams the rows of a CSV text (RFC 4180). The header is row 1; empty lines are not counted.
 * After a row that is too large or has an unclosed quote, reading resumes at the next line.
 */
export async function* csvRows(
  chunks: AsyncIterable<string>,
  most = MAX_CHARACTERS,
  separator = ',',
): AsyncGenerator<Piece<string[]>> {
  const place = { row: 0, line: 1, separator }
  let rest = ''
  let isSkipping = false
  for await (const chunk of chunks) {
    let text = rest + chunk
    if (isSkipping) {
      const end = text.indexOf('\n') + 1
      if (end === 0) continue
      isSkipping = false
      place.line += 1
      text = text.slice(end)
    }
    const result = completeRows(text, place, most)
    yield* result.pieces
    rest = text.slice(result.end)
    isSkipping = result.isSkipping
    if (isSkipping) rest = ''
  }
  // The last line may lack a line break. After an unclosed quote, skip one line and try again.
  while (rest !== '') {
    const last = completeRows(`${rest}\n`, place, most)
    yield* last.pieces
    rest = rest.slice(last.end)
    if (rest === '' || last.isSkipping) break
    const end = rest.indexOf('\n') + 1
    yield { row: ++place.row, line: place.line++, size: 0, problem: UNCLOSED }
    rest = end === 0 ? '' : rest.slice(end)
  }
}

/** The position in the text, and the character that separates cells. */
type Place = { row: number; line: number; separator: string }
type Rows = { pieces: Piece<string[]>[]; end: number; isSkipping: boolean }

/** The complete rows in the text. `isSkipping`: the next row is already too large. */
function completeRows(text: string, place: Place, most: number): Rows {
  const pieces: Piece<string[]>[] = []
  let at = 0
  while (at < text.length) {
    const { end, isQuoted } = endOfRow(text, at, place.separator)
    const from = { row: place.row + 1, line: place.line, size: 0 }
    if (end === undefined) {
      if (text.length - at <= most) break
      pieces.push({ ...from, problem: isQuoted ? UNCLOSED : tooLong(most) })
      place.row += 1
      const next = text.indexOf('\n', at) + 1
      if (next === 0) return { pieces, end: text.length, isSkipping: true }
      place.line += 1
      at = next
      continue
    }
    const row = text.slice(at, end).replace(/\r?\n$/, '')
    if (row !== '') {
      pieces.push({ ...from, size: row.length, ...readRow(row, most, place.separator) })
      place.row += 1
    }
    place.line += countOf(text, '\n', at, end)
    at = end
  }
  return { pieces, end: at, isSkipping: false }
}

const tooLong = (most: number) => `is longer than ${most} characters`

const readRow = (row: string, most: number, separator: string) =>
  row.length > most ? { problem: tooLong(most) } : cellsOf(row, separator)

/** The position after a row's line break; undefined if the text ends first. */
function endOfRow(text: string, from: number, separator: string) {
  let at = from
  for (;;) {
    const newline = text.indexOf('\n', at)
    const until = newline < 0 ? text.length : newline
    const quote = openingQuote(text, { at, until, rowStart: from, separator })
    if (quote === undefined) return { end: newline < 0 ? undefined : newline + 1, isQuoted: false }
    const close = closingQuote(text, quote)
    if (close === undefined) return { end: undefined, isQuoted: true }
    at = close + 1
  }
}

/** A quote opens a cell only at its start; elsewhere it is an ordinary character. */
function openingQuote(
  text: string,
  {
    at,
    until,
    rowStart,
    separator,
  }: Record<'at' | 'until' | 'rowStart', number> & Pick<Place, 'separator'>,
) {
  for (let quote = text.indexOf('"', at); quote >= 0 && quote < until; ) {
    if (quote === rowStart || text[quote - 1] === separator) return quote
    quote = text.indexOf('"', quote + 1)
  }
  return undefined
}

function closingQuote(text: string, open: number): number | undefined {
  for (let quote = text.indexOf('"', open + 1); quote >= 0; ) {
    if (text[quote + 1] !== '"') return quote
    quote = text.indexOf('"', quote + 2)
  }
  return undefined
}

/** The cells of a row without its line break, or the problem with it. */
function cellsOf(row: string, separator: string): { value: string[] } | { problem: string } {
  const cells: string[] = []
  for (let at = 0; ; ) {
    if (cells.length === MAX_CELLS) return { problem: `has more than ${MAX_CELLS} columns` }
    const cell = row[at] === '"' ? quotedCell(row, at) : plainCell(row, at, separator)
    if (!cell) return { problem: UNCLOSED }
    if (cell.end < row.length && row[cell.end] !== separator) {
      const column = cells.length + 1
      const what = `column ${column} continues after its closing quote`
      return { problem: `${what}; inside quotes, write a quote twice` }
    }
    cells.push(cell.text)
    if (cell.end === row.length) return { value: cells }
    at = cell.end + 1
  }
}

function plainCell(row: string, at: number, separator: string) {
  const comma = row.indexOf(separator, at)
  const end = comma < 0 ? row.length : comma
  return { text: row.slice(at, end), end }
}

function quotedCell(row: string, at: number) {
  const close = closingQuote(row, at)
  if (close === undefined) return undefined
  return { text: row.slice(at + 1, close).replaceAll('""', '"'), end: close + 1 }
}
