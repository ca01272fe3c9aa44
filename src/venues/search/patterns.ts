import { negations } from './stop-lexicon.ts'

/** A pattern in plain text, and the value of a match; undefined if the match means nothing. */
export type Pattern<T> = readonly [
  RegExp,
  (match: readonly (string | undefined)[]) => T | undefined,
]

/** Before a number that counts or lasts something: in "-3 people", it means nothing. */
export const notMinus = '(?<!\\bminus )'

const afterNot = new RegExp(`\\b(?:${negations.join('|')})\\s+(?:an?\\s|the\\s)?$`)

/** The value of the first pattern that yields one; removes its words from the text. */
export function take<T>(
  text: string,
  patterns: readonly Pattern<T>[],
): { found: T | null; rest: string } {
  for (const [pattern, valueIn] of patterns) {
    const match = pattern.exec(text)
    const value = match ? valueIn(match) : undefined
    if (match && value !== undefined) {
      const before = text.slice(0, match.index)
      // What follows is not what the guest does not want.
      const gap = afterNot.test(before) ? ', ' : ' '
      return { found: value, rest: before + gap + text.slice(match.index + match[0].length) }
    }
  }
  return { found: null, rest: text }
}
