import { betweenNot, negations } from './stop-lexicon.ts'

/** The named groups of a match. */
export type Groups = Readonly<Record<string, string | undefined>>

type Match = readonly (string | undefined)[] & { groups?: Groups | undefined }

/** A pattern in plain text, and the value of a match; undefined if the match means nothing. */
export type Pattern<T> = readonly [RegExp, (match: Match) => T | undefined]

/** Before a number that counts or lasts something: in "-3 people", it means nothing. */
export const notMinus = '(?<!\\bminus )'

const afterNot = new RegExp(
  `\\b(?:${negations.join('|')})\\s+(?:(?:${[...betweenNot].join('|')})\\s+)*$`,
)

/** A value, and where its words are in the text. */
export type Taken<T> = { found: T; start: number; end: number }

/**
 * The value of the first pattern that yields one. Blanks its words in the text, so that what
 * remains stays where it was.
 */
export function take<T>(
  text: string,
  patterns: readonly Pattern<T>[],
): { found: T | null; rest: string; at: Taken<T> | null } {
  for (const [pattern, valueIn] of patterns) {
    const match = pattern.exec(text)
    const found = match ? valueIn(match) : undefined
    if (!match?.[0] || found === undefined) continue
    const end = match.index + match[0].length
    const before = text.slice(0, match.index)
    // What follows is not what the guest does not want.
    const gap = (afterNot.test(before) ? ',' : ' ').padEnd(match[0].length)
    return { found, rest: before + gap + text.slice(end), at: { found, start: match.index, end } }
  }
  return { found: null, rest: text, at: null }
}

/** Every value in the text, the clearest first; at most `most`. */
export function takeAll<T>(
  text: string,
  patterns: readonly Pattern<T>[],
  most: number,
): { all: Taken<T>[]; rest: string } {
  const all: Taken<T>[] = []
  let rest = text
  while (all.length < most) {
    const next = take(rest, patterns)
    if (!next.at) break
    all.push(next.at)
    rest = next.rest
  }
  return { all, rest }
}

/** The text with spaces instead of a part of it. */
export const blank = (text: string, from: number, to: number): string =>
  text.slice(0, from) + ' '.repeat(to - from) + text.slice(to)
