import type { Lexicon } from './lexicon.ts'

/** A word that was taken for another one. */
export type Correction = { from: string; to: string }

/** Letters that a word of this length may be off; shorter words are what they are. */
export const lettersOff = (word: string): number =>
  word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0

/** Words this short are taken for a place or a kind only, as too many others resemble them. */
const SHORT = 4
const SHORT_WEIGHT = 2

type Resembling = { word: string; distance: number }

/** The word of the lexicon that this one is a slip of: the nearest; of equals one that begins alike, then one of the same letters, then what matters more. */
export function resembling(word: string, { words }: Lexicon): Resembling | undefined {
  const leastWeight = word.length <= SHORT ? SHORT_WEIGHT : 0
  const candidates = [...words].filter(
    ([other, weight]) => weight >= leastWeight && other.length >= SHORT,
  )
  return nearest(word, candidates)
}

/** The nearest of some words, each with its weight, within the letters that the word may be off. */
export function nearest(
  word: string,
  candidates: Iterable<readonly [string, number]>,
): Resembling | undefined {
  let best: Resembling | undefined
  let bestScore = Number.POSITIVE_INFINITY
  for (const [other, weight] of candidates) {
    const distance = editDistance(word, other, lettersOff(word))
    if (distance === undefined) continue
    const score =
      distance * 100 +
      (other[0] === word[0] ? 0 : 20) +
      (sameLetters(word, other) ? 0 : 10) -
      weight
    if (score < bestScore) [best, bestScore] = [{ word: other, distance }, score]
  }
  return best
}

/** Letters in the wrong order are the commonest slip. */
const sameLetters = (one: string, other: string) => sorted(one) === sorted(other)
const sorted = (word: string) => [...word].sort().join('')

/**
 * Letters added, lost, replaced or exchanged with their neighbour (optimal string alignment), undefined above `most`.
 */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined
  let [older, old]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, i) => i),
  ]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      const least = Math.min(at(old, j) + 1, at(row, j - 1) + 1, at(old, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      row.push(swapped ? Math.min(least, at(older, j - 2) + 1) : least)
    }
    if (Math.min(...row) > most) return undefined
    older = old
    old = row
  }
  const distance = at(old, other.length)
  return distance <= most ? distance : undefined
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY
