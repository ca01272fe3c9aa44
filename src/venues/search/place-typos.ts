import type { Lexicon } from './lexicon.ts'
import { alikeIn, editDistance } from './typo-candidates.ts'

const MAX_WORDS = 3
/** Typos allowed in a name with this many letters, not counting spaces. */
const typosIn = (letters: number) => (letters >= 10 ? 2 : letters >= 6 ? 1 : 0)

/**
 * A misspelt place name of several words, such as "Chang Mai", even if each word alone means
 * something else: returns the words and their correction, if exactly one place is nearest.
 */
export function placeTypo(
  words: readonly string[],
  lexicon: Lexicon,
): { from: string; to: string } | undefined {
  const { names, alike } = placesOf(lexicon)
  const matches = windowsOf(words).flatMap((from) => {
    const phrase = from.replaceAll(' ', '')
    const most = typosIn(phrase.length)
    return alike(phrase, most).flatMap((name) => {
      const distance = editDistance(phrase, name, most)
      return distance ? [{ from, to: names.get(name) ?? name, distance }] : []
    })
  })
  const least = Math.min(...matches.map(({ distance }) => distance))
  const [nearest, ...others] = matches.filter(({ distance }) => distance === least)
  return others.every(({ to }) => to === nearest?.to) ? nearest : undefined
}

type Places = { names: ReadonlyMap<string, string>; alike: ReturnType<typeof alikeIn> }
const cached = new WeakMap<Lexicon, Places>()

/** Places whose names have several words, by their names without spaces. */
function placesOf(lexicon: Lexicon): Places {
  const before = cached.get(lexicon)
  if (before) return before
  const names = new Map(
    [...lexicon.meanings].flatMap(([phrase, { is }]): [string, string][] =>
      is === 'place' && phrase.includes(' ') ? [[phrase.replaceAll(' ', ''), phrase]] : [],
    ),
  )
  const places = { names, alike: alikeIn(names.keys()) }
  cached.set(lexicon, places)
  return places
}

/** Every run of two or three adjacent words. */
const windowsOf = (words: readonly string[]): string[] =>
  words.flatMap((_, start) =>
    Array.from({ length: MAX_WORDS - 1 }, (__, more) => words.slice(start, start + 2 + more))
      .filter((window, more) => window.length === more + 2)
      .map((window) => window.join(' ')),
  )
