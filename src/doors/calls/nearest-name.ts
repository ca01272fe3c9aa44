import { nearest } from '../../platform/command-line/nearest.ts'
import synonyms from './synonyms.json' with { type: 'json' }

/** Strips plural endings, so that `watches` matches `watch`, and `venues` matches `venue`. */
const stemOf = (word: string) => word.replace(/s$/, '').replace(/e$/, '')

/** From each synonym to the network's own word, which comes first. */
const meaningOf = new Map(
  synonyms.flatMap(([own = '', ...others]) => others.map((one) => [stemOf(one), stemOf(own)])),
)

const MAX_SHARING = 3

/**
 * The known name that an unknown one most likely means: one that contains all its words or their
 * synonyms, differs by a few letters, or shares a word. Words that many names contain do not count.
 */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const plain = name.toLowerCase().slice(0, 60)
  const words = nameParts(plain)
  const withAll = (some: readonly string[]) =>
    names.filter((one) => some.every((word) => nameParts(one).includes(word)))
  const alike = words.length > 0 ? withAll(words) : []
  if (alike.length > 0 && alike.length <= MAX_SHARING) return alike[0]
  const telling = words.filter((word) => withAll([word]).length <= MAX_SHARING)
  const shared = (one: string) => nameParts(one).filter((word) => telling.includes(word)).length
  const [best] = names
    .filter((one) => shared(one) > 0)
    .toSorted((one, other) => shared(other) - shared(one))
  return nearest(plain, names) ?? best
}

/** The words of a name that tell it apart, as the stems of the network’s own words. */
export const nameParts = (name: string): string[] =>
  name.split(/[^a-z0-9]+/).flatMap((word) => {
    if (word.length < 3) return []
    const stem = stemOf(word)
    return [meaningOf.get(stem) ?? stem]
  })
