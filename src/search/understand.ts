import { plainText, wordsOf } from '../model/plain-text.ts'
import type { Db } from '../store/sql.ts'
import { selectKnownWords } from '../store/venue-words.ts'
import { correct, namesIn, replaceWords } from './correct.ts'
import type { Lexicon } from './lexicon.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { readWishes, type Wishes } from './wishes.ts'

/** A query as search takes it. */
export type Understood = {
  parsed: ParsedQuery
  wishes: Wishes
  /** words that were taken for others */
  corrections: readonly { from: string; to: string }[]
  /** words that occur in no venue and resemble none that do */
  nowhere: readonly string[]
  /** whatever in it could be the whole name of a venue */
  names: readonly string[]
}

/** Whether a party, a day or a time was named, so that it matters what is free. */
export const asksForSlots = ({ wishes }: Understood): boolean =>
  wishes.partySize !== null || wishes.day !== null || wishes.clock !== null

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
  const corrected = nowhere.length > 0 ? await correct(db, lexicon, text, nowhere) : nothing
  const written = replaceWords(text, corrected)
  const { parsed, wishes } = corrected.size > 0 ? read(written, lexicon) : first
  const isMeaningless = (word: string) => nowhere.includes(word)
  return {
    parsed: { ...parsed, terms: parsed.terms.filter((term) => !term.every(isMeaningless)) },
    wishes,
    corrections: [...corrected].map(([from, to]) => ({ from, to: shown(to, lexicon) })),
    nowhere: parsed.unknown.filter(isMeaningless),
    names: [...new Set([text, written].flatMap((one) => namesIn(one, parsed.unknown)))],
  }
}

function read(text: string, lexicon: Lexicon): { parsed: ParsedQuery; wishes: Wishes } {
  const { rest, ...wishes } = readWishes(text)
  return { parsed: parseQuery(rest, lexicon), wishes }
}

/** A place is shown as it is written. */
function shown(word: string, { meanings }: Lexicon): string {
  const meaning = meanings.get(word)
  const name = meaning?.is === 'place' ? meaning.place.name : word
  return wordsOf(name).join('') === word ? name : word
}

const nothing: ReadonlyMap<string, string> = new Map()
