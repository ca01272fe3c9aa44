import type { Lexicon } from './lexicon.ts'

/** Maximum typos in a word of this length; shorter words must match exactly. */
export const lettersOff = (word: string): number =>
  word.length >= 7 ? 2 : word.length >= 4 ? 1 : 0

/** Words this short can stand only for places and kinds, as they resemble too many others. */
const SHORT = 4
const SHORT_WEIGHT = 2

/** The lexicon's words that a word could be a misspelling of, each with its weight. */
export function lexiconCandidates(word: string, lexicon: Lexicon): [string, number][] {
  const least = word.length <= SHORT ? SHORT_WEIGHT : 0
  const { alike, byLatin } = indexOf(lexicon)
  const near = new Set([...alike(word, lettersOff(word)), ...(byLatin.get(romanised(word)) ?? [])])
  return [...near]
    .map((other): [string, number] => [other, lexicon.words.get(other) ?? 0])
    .filter(([other, weight]) => weight >= least && other.length >= SHORT)
}

/** Finds those of some words that are at most `most` edits from another, and a few more. */
export function alikeIn(words: Iterable<string>) {
  const byLength = Map.groupBy(
    [...words].map((word) => ({ word, letters: lettersOf(word) })),
    ({ word }) => word.length,
  )
  return (word: string, most: number): string[] => {
    const letters = lettersOf(word)
    const found: string[] = []
    for (let length = word.length - most; length <= word.length + most; length += 1) {
      for (const other of byLength.get(length) ?? []) {
        // An edit changes at most two letters. This rules out nearly all words, at once.
        if (bitsOf(other.letters ^ letters) <= 2 * most) found.push(other.word)
      }
    }
    return found
  }
}

const indexes = new WeakMap<Lexicon, ReturnType<typeof indexOf>>()

/** The words of a lexicon by length and sound: comparing all of 30,000 takes 10 ms. */
function indexOf(lexicon: Lexicon): {
  alike: ReturnType<typeof alikeIn>
  byLatin: ReadonlyMap<string, readonly string[]>
} {
  const before = indexes.get(lexicon)
  if (before) return before
  const words = [...lexicon.words.keys()]
  const index = { alike: alikeIn(words), byLatin: Map.groupBy(words, romanised) }
  indexes.set(lexicon, index)
  return index
}

/**
 * The nearest of some weighted words, within the allowed typos: prefers the same first letter, then
 * the same letters, then the greater weight.
 */
export function nearest(
  word: string,
  candidates: readonly (readonly [string, number])[],
): string[] {
  const latin = romanised(word)
  const near = candidates.flatMap(([other, weight]) => {
    const isSpelling = weight >= PLACE_WEIGHT && other[0] === word[0] && romanised(other) === latin
    const distance = isSpelling ? 1 : editDistance(word, other, lettersOff(word))
    if (distance === undefined) return []
    const start = other[0] === word[0] ? 0 : 20
    const letters = isSpelling || hasSameLetters(word, other) ? 0 : 10
    return [{ other, distance, score: start + letters - weight }]
  })
  const least = Math.min(...near.map(({ distance }) => distance))
  const best = near.filter(({ distance }) => distance === least)
  return [...new Set(best.sort((a, b) => a.score - b.score).map(({ other }) => other))]
}

const PLACE_WEIGHT = 3

/** Names from other languages are spelt by sound: Changu for Canggu, Legiyan for Legian. */
const romanised = (word: string): string =>
  word
    .replace(/(?<=[bcdgkpst])h/g, '')
    .replace(/y/g, 'i')
    .replace(/(.)\1+/g, '$1')

/** Whether a word is a misspelling of a known word. */
export const isMisspelt = (word: string, lexicon: Lexicon): boolean =>
  nearest(word, lexiconCandidates(word, lexicon)).length > 0

/** Whether a word is a misspelling of a place in the network. */
export const isMisspeltPlace = (word: string, lexicon: Lexicon): boolean =>
  nearest(
    word,
    lexiconCandidates(word, lexicon).filter(
      ([other]) => lexicon.meanings.get(other)?.is === 'place',
    ),
  ).length > 0

/** Whether letters are only transposed, which is the commonest typo. */
export const hasSameLetters = (one: string, other: string) => sorted(one) === sorted(other)
const sorted = (word: string) => [...word].sort().join('')

/** Optimal string alignment distance; undefined above `most`. */
export function editDistance(one: string, other: string, most: number): number | undefined {
  if (Math.abs(one.length - other.length) > most) return undefined
  let [older, old]: [number[], number[]] = [
    [],
    Array.from({ length: other.length + 1 }, (_, i) => i),
  ]
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i]
    let leastOfRow = i
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1]
      let least = Math.min(at(old, j) + 1, at(row, j - 1) + 1, at(old, j - 1) + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (swapped) least = Math.min(least, at(older, j - 2) + 1)
      row.push(least)
      leastOfRow = Math.min(leastOfRow, least)
    }
    if (leastOfRow > most) return undefined
    older = old
    old = row
  }
  const distance = at(old, other.length)
  return distance <= most ? distance : undefined
}

const at = (row: readonly number[], index: number) => row[index] ?? Number.POSITIVE_INFINITY

/** The letters of a word as a bit set; some letters share a bit. */
function lettersOf(word: string): number {
  let letters = 0
  for (let i = 0; i < word.length; i += 1) letters |= 1 << (word.charCodeAt(i) & 31)
  return letters
}

function bitsOf(set: number): number {
  let count = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1
  return count
}
