import { countOf, MOST_CHARACTERS, type Piece } from './piece.ts'

const NO_LIST =
  'no array of venues was found: expected [ … ], {"venues": [ … ]} or a FeatureCollection'
const INCOMPLETE =
  'the file ends within this element, or its brackets do not match; the rest was not read'

/**
 * Streams the elements of a JSON array: the text itself, or `venues` or `features` of an object.
 * Each is parsed by itself, so that a broken or oversized one does not affect the others.
 */
export async function* jsonElements(
  chunks: AsyncIterable<string>,
  most = MOST_CHARACTERS,
): AsyncGenerator<Piece<unknown>> {
  const nesting: Nesting = { depth: 0, inString: false }
  const place = { row: 0, line: 1 }
  let isWithin = false
  let isTooLarge = false
  let text = ''
  let at = 0
  for await (const chunk of chunks) {
    text += chunk
    if (!isWithin) {
      const start = arrayStart(text)
      if (start === undefined && text.length <= most) continue
      if (start === undefined) break
      isWithin = true
      place.line += countOf(text, '\n', 0, start)
      text = text.slice(start)
    }
    for (;;) {
      const found = elementEnd(text, at, nesting)
      at = found.at
      isTooLarge ||= at > most
      if (!found.isEnd) {
        if (isTooLarge) {
          place.line += countOf(text, '\n', 0, at)
          text = text.slice(at)
          at = 0
        }
        break
      }
      const isLast = text[at] === ']'
      const json = text.slice(0, at)
      const piece = pieceOf(json, place, isTooLarge ? most : undefined)
      if (!isLast || place.row > 0 || isTooLarge || json.trim() !== '') yield piece
      place.row += 1
      place.line += countOf(text, '\n', 0, at)
      if (isLast) return
      text = text.slice(at + 1)
      at = 0
      isTooLarge = false
    }
  }
  const line = place.line + countOf(text, '\n', 0, text.length - text.trimStart().length)
  yield { row: place.row + 1, line, size: 0, problem: isWithin ? INCOMPLETE : NO_LIST }
}

function pieceOf(
  json: string,
  { row, line }: { row: number; line: number },
  most: number | undefined,
): Piece<unknown> {
  const blank = json.length - json.trimStart().length
  const place = { row: row + 1, line: line + countOf(json, '\n', 0, blank), size: json.length }
  if (most !== undefined) return { ...place, problem: `is longer than ${most} characters` }
  if (blank === json.length) return { ...place, problem: 'is empty: there is an extra comma' }
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
    const found = pattern.exec(text)
    if (!found) return { at: text.length, isEnd: false }
    at = found.index
    const mark = found[0]
    if (mark === '\\') {
      if (at + 1 === text.length) return { at, isEnd: false }
      at += 1
    } else if (mark === '"') nesting.inString = !nesting.inString
    else if (mark === '{' || mark === '[') nesting.depth += 1
    else if (nesting.depth > 0) nesting.depth -= mark === ',' ? 0 : 1
    else if (mark !== '}') return { at, isEnd: true }
    at += 1
  }
}

// A truncated string is a token too: searching within it again would take quadratic time.
const token = /"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[[\]{}]/gs
const listKey = /^"(?:venues|features)"$/

/** Where the array of venues begins, if the text contains it. */
function arrayStart(text: string): number | undefined {
  let depth = 0
  let key = ''
  for (const { 0: found, index } of text.matchAll(token)) {
    if (found === '[' && (depth === 0 || (depth === 1 && listKey.test(key)))) return index + 1
    if (found === '[' || found === '{') depth += 1
    else if (found === ']' || found === '}') depth -= 1
    key = found
  }
  return undefined
}
