import { plainText, wordsOf } from '../../contract/rules/plain-text.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectKnownWords } from '../store/venue-words.ts'
import { correctTypos, MOST_NAME_WORDS, namesIn, replaceWords } from './correct-typos.ts'
import type { Lexicon } from './lexicon.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { placeTypo } from './place-typos.ts'
import { readVisit, type Visit } from './visit.ts'

/** A query as search takes it. */
export type Understood = {
  parsed: ParsedQuery
  visit: Visit
  /** words that were taken for others */
  corrections: readonly { from: string; to: string }[]
  /** words that occur in no venue and resemble none that do */
  nowhere: readonly string[]
  /** whatever in it could be the whole name of a venue */
  names: readonly string[]
}

/** Whether a party, a day or a time was named, so that it matters what is free. */
export const asksForSlots = ({ visit }: Understood): boolean =>
  visit.partySize !== null || visit.day !== null || visit.clock !== null

/**
 * Understands a query, and once more with its typos corrected: words that mean nothing and occur in
 * no venue, and where no place was named, the name of one in several words. Words that resemble
 * nothing either are searched for no further.
 */
export async function understand(db: Db, lexicon: Lexicon, query: string): Promise<Understood> {
  const text = plainText(query).replace(/['’]/g, '')
  const first = read(text, lexicon)
  const strange = [...new Set(first.parsed.unknown)].filter((word) => !lexicon.words.has(word))
  const known = strange.length > 0 ? await selectKnownWords(db, strange) : []
  const nowhere = strange.filter((word) => !known.includes(word))
  const meant = nowhere.length > 0 ? await correctTypos(db, lexicon, text, nowhere) : nothing
  const corrected = isGibberish(first.parsed, nowhere, meant) ? nothing : meant
  const spelt = replaceWords(text, corrected)
  const typo = placeTypoIn(corrected.size > 0 ? read(spelt, lexicon) : first, spelt, lexicon)
  const written = typo ? replacePhrase(spelt, typo) : spelt
  const { parsed, visit } = written !== text ? read(written, lexicon) : first
  const isMeaningless = (word: string) => nowhere.includes(word)
  const terms = parsed.terms.filter((term) => !term.every(isMeaningless))
  return {
    parsed: withFewTerms({ ...parsed, terms }),
    visit,
    corrections: [...corrected, ...(typo ? [[typo.from, typo.to] as const] : [])].map(
      ([from, to]) => ({ from, to: shown(to, lexicon) }),
    ),
    nowhere: parsed.unknown.filter(isMeaningless),
    names: [...new Set([text, written].flatMap((one) => namesIn(one, parsed.unknown)))],
  }
}

/** Each is looked for by itself: more words say hardly more, and cost a search of their own. */
const MOST_TERMS = 10

/** The query with its first terms, those that name what is wanted before others. */
function withFewTerms(parsed: ParsedQuery): ParsedQuery {
  const { terms, things } = parsed
  const nameOf = (term: readonly string[]) => term.join('|')
  const names = new Set([...things, ...terms].map(nameOf))
  const kept = new Set([...names].slice(0, MOST_TERMS))
  const isKept = (term: readonly string[]) => kept.has(nameOf(term))
  const others = terms.filter((term) => !isKept(term)).map(([word = '']) => word)
  return {
    ...parsed,
    terms: terms.filter(isKept),
    things: things.filter(isKept),
    dropped: [...parsed.dropped, ...others],
  }
}

const MOST_MEANINGLESS = 2

/** In a text that means nothing, a word that resembles a place by chance is no correction. */
function isGibberish(
  { category, place, landmark, unknown }: ParsedQuery,
  nowhere: readonly string[],
  meant: ReadonlyMap<string, string>,
): boolean {
  const understood = category !== null || place !== null || landmark !== null
  const rest = unknown.filter((word) => !meant.has(word))
  return !understood && rest.length > MOST_MEANINGLESS && nowhere.length > MOST_MEANINGLESS
}

function placeTypoIn({ parsed }: { parsed: ParsedQuery }, text: string, lexicon: Lexicon) {
  return parsed.place || parsed.landmark
    ? undefined
    : placeTypo(wordsOf(text).slice(0, MOST_NAME_WORDS), lexicon)
}

const replacePhrase = (text: string, { from, to }: { from: string; to: string }): string =>
  text.replace(new RegExp(from.replaceAll(' ', '[^\\p{L}\\p{N}]+'), 'u'), to)

function read(text: string, lexicon: Lexicon): { parsed: ParsedQuery; visit: Visit } {
  const { rest, ...visit } = readVisit(text)
  return { parsed: parseQuery(rest, lexicon), visit }
}

/** A place is shown as it is written. */
function shown(word: string, { meanings }: Lexicon): string {
  const meaning = meanings.get(word)
  const name = meaning?.is === 'place' ? meaning.place.name : word
  return wordsOf(name).join('') === word ? name : word
}

const nothing: ReadonlyMap<string, string> = new Map()
