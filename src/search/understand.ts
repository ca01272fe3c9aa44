import { plainText, wordsOf } from '../model/plain-text.ts'
import type { Db } from '../store/sql.ts'
import { selectKnownWords, selectSimilarWords } from '../store/venue-words.ts'
import type { Lexicon } from './lexicon.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { type Correction, lettersOff, nearest, resembling } from './spelling.ts'
import { readWishes, type Wishes } from './wishes.ts'

/** A query as search takes it. */
export type Understood = {
  parsed: ParsedQuery
  wishes: Wishes
  corrections: readonly Correction[]
  /** words that occur in no venue and resemble none that do */
  nowhere: readonly string[]
  /** whatever in it could be the whole name of a venue */
  names: readonly string[]
}

/**
 * Understands a query, and once more with its slips corrected: only words that mean nothing and occur in no venue. Those that
 * resemble nothing either are searched for no further.
 */
export async function understand(db: Db, lexicon: Lexicon, query: string): Promise<Understood> {
  const text = plainText(query).replace(/['’]/g, '')
  const first = read(text, lexicon)
  const strange = [...new Set(first.parsed.unknown)].filter((word) => !lexicon.words.has(word))
  const known = strange.length > 0 ? await selectKnownWords(db, strange) : []
  const nowhere = strange.filter((word) => !known.includes(word))
  const corrected = await correct(db, lexicon, nowhere)
  const written = text.replace(/[\p{L}\p{N}\p{M}]+/gu, (word) => corrected.get(word) ?? word)
  const { parsed, wishes } = corrected.size > 0 ? read(written, lexicon) : first
  const isMeaningless = (word: string) => nowhere.includes(word)
  return {
    parsed: { ...parsed, terms: parsed.terms.filter((term) => !term.every(isMeaningless)) },
    wishes,
    corrections: [...corrected].map(([from, to]) => ({ from, to: shown(to, lexicon) })),
    nowhere: parsed.unknown.filter(isMeaningless),
    names: [...new Set([text, written].flatMap((one) => namesIn(one, parsed)))],
  }
}

function read(text: string, lexicon: Lexicon): { parsed: ParsedQuery; wishes: Wishes } {
  const { rest, ...wishes } = readWishes(text)
  return { parsed: parseQuery(rest, lexicon), wishes }
}

async function correct(
  db: Db,
  lexicon: Lexicon,
  nowhere: readonly string[],
): Promise<Map<string, string>> {
  const wrong = nowhere.filter((word) => lettersOff(word) > 0 && !/\p{N}/u.test(word))
  const ofLexicon = new Map(wrong.map((word) => [word, resembling(word, lexicon)]))
  const unsure = wrong.filter((word) => (ofLexicon.get(word)?.distance ?? 2) > 1)
  const similar = unsure.length > 0 ? await selectSimilarWords(db, unsure) : []
  const pairs = wrong.flatMap((word): [string, string][] => {
    const inNames = similar.filter(({ asked }) => asked === word)
    const ofNames = nearest(
      word,
      inNames.map((one) => [one.word, 0]),
    )
    const meant = ofLexicon.get(word)
    const best = meant && meant.distance <= (ofNames?.distance ?? 2) ? meant : ofNames
    return best ? [[word, best.word]] : []
  })
  return new Map(pairs)
}

/** A place is shown as it is written. */
function shown(word: string, { meanings }: Lexicon): string {
  const meaning = meanings.get(word)
  const name = meaning?.is === 'place' ? meaning.place.name : word
  return wordsOf(name).join('') === word ? name : word
}

const MOST_WORDS = 24
const LONGEST_NAME = 8

/** Every run of words that could be a name; a single word only if it means nothing else. */
function namesIn(text: string, { unknown }: ParsedQuery): string[] {
  const words = wordsOf(text).slice(0, MOST_WORDS)
  const runs = words.flatMap((_, start) =>
    Array.from({ length: Math.min(LONGEST_NAME, words.length - start) }, (_, more) =>
      words.slice(start, start + more + 1),
    ),
  )
  const names = runs.filter(([first = '', ...more]) => more.length > 0 || unknown.includes(first))
  return names.map((run) => run.join(' '))
}
