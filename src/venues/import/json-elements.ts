import { countOf, MAX_CHARACTERS, type Piece } from './piece.ts'

const NO_LIST =
  'no array of venues was found: expected [ … ], {"venues": [ … ]} or a FeatureCollection'
const EMPTY = 'is empty: there is an extra comma'
const INCOMPLETE =
  'the file ends within this element, or its brackets do not match; the rest was not read'

/**
 * Streams the elements of a JSON array: the text itself, or the `venues` or `features` of an
 * object. Parses each separately, so that a broken or oversized element does not affect the others.
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  most = MAX_CHARACTERS,
): AsyncGenerator<Piece<unknown>> {
  const nesting: Nesting = { depth: 0, inString: false }
  const place: Place = { row: 0, line: 1 }
  let problem = NO_LIST
  let isTooLarge = false
  let text = ''
  let at = 0
  for await (const chunk of withinArray(chunks, place, most)) {
    problem = INCOMPLETE
    text += chunk
    for (;;) {
      const end = elementEnd(text, at, nesting)
      at = end.at
      isTooLarge ||= at > most
      if (!end.isEnd) break
      const isLast = text[at] === ']'
      const piece = pieceOf(text.slice(0, at), place, { isTooLarge, most })
      if (!isLast || place.row > 0 || !isEmpty(piece)) yield piece
      if (isLast) return
      place.row += 1
      place.line += countOf(text, '\n', 0, at)
      text = text.slice(at + 1)
      at = 0
      isTooLarge = false
    }
    if (isTooLarge) {
      place.line += countOf(text, '\n', 0, at)
      text = text.slice(at)
      at = 0
    }
  }
  const line = place.line + countOf(text, '\n', 0, text.length - text.trimStart().length)
  yield { row: place.row + 1, line, size: 0, problem }
}

const isEmpty = (piece: Piece<unknown>): boolean => 'problem' in piece && piece.problem === EMPTY

type Place = { row: number; line: number }

/** The text from the start of the array, which must begin within `most` characters. */
async function* withinArray(chunks: AsyncIterable<string>, place: Place, most: number) {
  let before = ''
  let isWithin = false
  for await (const chunk of chunks) {
    if (isWithin) {
      yield chunk
      continue
    }
    before += chunk
    const start = arrayStart(before)
    if (start !== undefined) {
      isWithin = true
      place.line += countOf(before, '\n', 0, start)
      yield before.slice(start)
    } else if (before.length > most) break
  }
  if (isWithin) return
  place.line += countOf(before, '\n', 0, before.length - before.trimStart().length)
}

function pieceOf(
  json: string,
  { row, line }: Place,
  { isTooLarge, most }: { isTooLarge: boolean; most: number },
): Piece<unknown> {
  const blank = json.length - json.trimStart().length
  const place = { row: row + 1, line: line + countOf(json, '\n', 0, blank), size: json.length }
  if (isTooLarge) return { ...place, problem: `is longer than ${most} characters` }
  if (blank === json.length) return { ...place, problem: EMPTY }
  try {
    return { ...place, value: JSON.parse(json) }
  } catch (error) {
    return { ...place, problem: `is not JSON: ${(error as Error).message}` }
  }
}

type Nesting = { depth: number; inString: boolean }

const marks = /["[\]{},]/g
const stringMarks = /["\\]/g

/** Finds the comma or bracket that ends an element, or stops at the end of the text. */
function elementEnd(text: string, from: number, nesting: Nesting): { at: number; isEnd: boolean } {
  let at = from
  for (;;) {
    const pattern = nesting.inString ? stringMarks : marks
    pattern.lastIndex = at
    const match = pattern.exec(text)
    if (!match) return { at: text.length, isEnd: false }
    at = match.index
    const mark = match[0]
    if (mark === '\\') {
      if (at + 1 === text.length) return { at, isEnd: false }
      at += 1
    } else if (isEndAfter(mark, nesting)) return { at, isEnd: true }
    at += 1
  }
}

/** Updates the nesting after a mark; returns whether the mark ends the element. */
function isEndAfter(mark: string, nesting: Nesting): boolean {
  if (mark === '"') nesting.inString = !nesting.inString
  else if (mark === '{' || mark === '[') nesting.depth += 1
  else if (nesting.depth === 0) return mark !== '}'
  else if (mark !== ',') nesting.depth -= 1
  return false
}

// A truncated string is also a token: rescanning it would take quadratic time.
const token = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{}]/gs
const listKey = /^"(?:venues|features)"$/

/** Where the array of venues begins, if the text contains it. */
function arrayStart(text: string): number | undefined {
  let depth = 0
  let key = ''
  for (const { 0: symbol, index } of text.matchAll(token)) {
    if (symbol === '[' && (depth === 0 || (depth === 1 && listKey.test(key)))) return index + 1
    if (symbol === '[' || symbol === '{') depth += 1
    else if (symbol === ']' || symbol === '}') depth -= 1
    key = symbol
  }
  return undefined
}
