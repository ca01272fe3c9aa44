import { nearest } from '../../packages/command-line/nearest.ts'

const MOST_SHARING = 3

/** The known name that an unknown one most likely means: a few letters off, or of like words. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().slice(0, 60)
  // A word of many names, as `booking`, tells none of them.
  const words = wordsOf(plain).filter(
    (word) => known.filter((one) => wordsOf(one).includes(word)).length <= MOST_SHARING,
  )
  const shared = (one: string) => wordsOf(one).filter((word) => words.includes(word)).length
  const [best] = known
    .map((one) => ({ one, shared: shared(one) }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
  return nearest(plain, known) ?? best?.one
}

const wordsOf = (name: string) =>
  name.split(/[^a-z0-9]+/).flatMap((word) => (word.length > 2 ? [word.replace(/e?s$/, '')] : []))
