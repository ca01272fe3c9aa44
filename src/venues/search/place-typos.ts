import type { Lexicon } from './lexicon.ts'
import { editDistance } from './typo-candidates.ts'

const MOST_WORDS = 3
/** Letters of a name without its spaces: one typo from six letters, two from ten. */
const typosIn = (letters: number) => (letters >= 10 ? 2 : letters >= 6 ? 1 : 0)

/**
 * A place of several words that was written with a typo, as "Chang Mai" was, though each word by
 * itself means or names something else: the words and what they were meant to be, where exactly one
 * place is nearest.
 */
export function placeTypo(
  words: readonly string[],
  { meanings }: Lexicon,
): { from: string; to: string } | undefined {
  const places = [...meanings].filter(([phrase, { is }]) => is === 'place' && phrase.includes(' '))
  const found = windowsOf(words).flatMap((from) => {
    const written = from.replaceAll(' ', '')
    return places.flatMap(([to]) => {
      const distance = editDistance(written, to.replaceAll(' ', ''), typosIn(written.length))
      return distance ? [{ from, to, distance }] : []
    })
  })
  const least = Math.min(...found.map(({ distance }) => distance))
  const [nearest, ...others] = found.filter(({ distance }) => distance === least)
  return others.every(({ to }) => to === nearest?.to) ? nearest : undefined
}

/** Every run of two or three neighbouring words. */
const windowsOf = (words: readonly string[]): string[] =>
  words.flatMap((_, start) =>
    Array.from({ length: MOST_WORDS - 1 }, (__, more) => words.slice(start, start + 2 + more))
      .filter((window, more) => window.length === more + 2)
      .map((window) => window.join(' ')),
  )
