import { plainWords } from '../../base/plain-text.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectExistingNames } from '../store/venue-names.ts'
import { selectSimilarWords } from '../store/venue-words.ts'
import type { Lexicon } from './lexicon.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import {
  editDistance,
  hasSameLetters,
  lettersOff,
  lexiconCandidates,
  nearest,
} from './typo-candidates.ts'
import { isWord, worldPlaces } from './world-places.ts'

/** Maximum number of candidates for a word. */
const MAX_OPTIONS = 8
/** Maximum number of corrected words: each is compared with every word that search understands. */
const MAX_CORRECTED = 5

/**
 * Corrections of meaningless words, if clear. Among equally near candidates, prefers one that forms
 * a venue's name with the words around it, then the one that leaves least of the query unexplained.
 */
export async function correctTypos(
  db: Db,
  lexicon: Lexicon,
  text: string,
  nowhere: readonly string[],
): Promise<Map<string, string>> {
  const wrong = nowhere
    .filter((word) => lettersOff(word) > 0 && !/\p{N}/u.test(word))
    .slice(0, MAX_CORRECTED)
  if (wrong.length === 0) return new Map()
  const { isTest } = lexicon
  const similar = isTest ? [] : await selectSimilarWords(db, wrong)
  const every = wrong.flatMap((word) => {
    const ofNames = similar.filter(({ asked }) => asked === word)
    const candidates = [
      ...lexiconCandidates(word, lexicon),
      ...ofNames.map((one) => [one.word, 0] as const),
    ]
    return nearest(word, candidates)
      .slice(0, MAX_OPTIONS)
      .map((meant) => ({ word, meant, written: replaceWords(text, new Map([[word, meant]])) }))
  })
  const before = parseQuery(text, lexicon)
  const options = every.filter(
    ({ word, meant, written }) =>
      (isLikely(word, meant) || makesPhrase(meant, written, lexicon)) &&
      agrees(parseQuery(written, lexicon), before, isOneOff(word, meant)),
  )
  const names = options.flatMap(({ meant, written }) =>
    namesIn(written, []).filter((name) => name.split(' ').includes(meant)),
  )
  const anywhere = { isTest, distinctive: [], category: null, areas: null }
  const existing = names.length > 0 ? await selectExistingNames(db, { names, ...anywhere }) : []
  const results = options.map((option) => ({
    ...option,
    isNamed: existing.some((name) => name.split(' ').includes(option.meant)),
    unexplained: parseQuery(option.written, lexicon).unknown.length,
  }))
  const best = results.toSorted(
    (one, other) =>
      Number(other.isNamed) - Number(one.isNamed) || one.unexplained - other.unexplained,
  )
  return new Map(
    wrong.flatMap((word): [string, string][] => {
      const choice = best.find((option) => option.word === word)
      return choice ? [[word, choice.meant]] : []
    }),
  )
}

/** Whether a word is a typo of another: words of either language are none, nor other beginnings. */
export function isLikely(word: string, meant: string): boolean {
  if (isWord(word))
    return isPlural(word, meant) || isPlural(meant, word) || isSamePlace(word, meant)
  const isSureOfStart = word.length >= LONG && isOneOff(word, meant)
  return word[0] === meant[0] || isSureOfStart || hasSameLetters(word, meant)
}

const LONG = 5
const isOneOff = (word: string, meant: string) =>
  word.length >= LONG && editDistance(word, meant, 1) !== undefined
/** Whether two words name one place, as Djakarta and Jakarta. */
const isSamePlace = (word: string, meant: string) =>
  worldPlaces(word)[0]?.latitude === (worldPlaces(meant)[0]?.latitude ?? null)
const isPlural = (many: string, one: string) => many === `${one}s` || many === `${one}es`

/** Whether a correction leaves the place and the kind as they were understood without it. */
function agrees(after: ParsedQuery, before: ParsedQuery, isOneOff: boolean): boolean {
  const isKind = before.isHinted || after.category === before.category
  const isWithin = after.place?.areas.every((area) => before.place?.areas.includes(area)) ?? true
  return isKind && (!before.place || isWithin || isOneOff)
}

/** A word is corrected to another within a phrase, as in "craft bear". */
const makesPhrase = (meant: string, written: string, { meanings }: Lexicon): boolean =>
  namesIn(written, []).some((phrase) => meanings.has(phrase) && phrase.split(' ').includes(meant))

/** The text with some of its words replaced. */
export const replaceWords = (text: string, meant: ReadonlyMap<string, string>): string =>
  text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => meant.get(word) ?? word)

/** How many words of a query to search for names and misspelt places. */
export const MAX_NAME_WORDS = 24
const MAX_NAME = 8

/** Every run of words that could be a name; single words only if they are `unknown`. */
export function namesIn(text: string, unknown: readonly string[]): string[] {
  const words = plainWords(text).slice(0, MAX_NAME_WORDS)
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(MAX_NAME, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1),
    ),
  )
  return runs
    .filter(([first = '', ...more]) => more.length > 0 || unknown.includes(first))
    .map((run) => run.join(' '))
}
