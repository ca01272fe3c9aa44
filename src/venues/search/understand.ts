import { refuse } from '../../base/errors.ts'
import { plainText, plainWords } from '../../base/plain-text.ts'
import { categories } from '../../base/venue-kinds.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Without } from '../store/venue-scopes.ts'
import { selectKnownWords } from '../store/venue-words.ts'
import { type Exclusion, isExcludable } from './avoided.ts'
import { correctTypos, MAX_NAME_WORDS, namesIn, replaceWords } from './correct-typos.ts'
import type { Lexicon } from './lexicon.ts'
import {
  type Around,
  findNearVenue,
  findVenuesNotWanted,
  inRadius,
  namesOf,
  oneSpot,
  placeOfNear,
  readRadius,
} from './near.ts'
import { readNotes } from './notes.ts'
import { otherRequest } from './other-requests.ts'
import { findOutside, type Outside, unknownPlace } from './outside.ts'
import { type ParsedQuery, parseQuery } from './parse-query.ts'
import { numberLeft } from './party.ts'
import { namesOfPeople, peopleIn, readUnwished } from './people.ts'
import { placeTypo } from './place-typos.ts'
import { placeNear, type SearchArea } from './places.ts'
import { nearGuestWords } from './stop-lexicon.ts'
import { endByNext, type RequestedVisit, readVisit } from './visit.ts'
import { writtenOut } from './written-out.ts'

/** A query as search understands it. */
export type UnderstoodQuery = {
  parsed: ParsedQuery
  visit: RequestedVisit
  /** corrected words */
  corrections: readonly { from: string; to: string }[]
  /** words that occur at no venue and resemble none that do */
  nowhere: readonly string[]
  /** places and kinds in the query that the network lacks */
  outside: Outside
  /** every part of the query that could be the full name of a venue */
  names: readonly string[]
  /** whether it says that the place is near the guest */
  saysNear: boolean
  /** what the query excludes, and venues to search near, which are not results themselves */
  without: Without
  /** the exclusions in the query's words */
  excluded: readonly string[]
  /** what search cannot exclude, in the query's words */
  unmet: readonly string[]
  /** what search cannot check, to pass on to the venue */
  notes: string | null
  /** what to do instead, if it is about a booking of before */
  instead: string | null
  /** words that may be a person's first name, each perhaps with a second name */
  people: readonly (readonly string[])[]
}

/** Whether a party, a day or a time is given, so that free slots matter. */
export const asksForSlots = ({ visit }: UnderstoodQuery): boolean =>
  visit.partySize !== null || visit.day !== null || visit.clock !== null

/** Whether the place is near the guest, and nothing says where that is. */
export const isNearGuest = ({ saysNear, parsed }: UnderstoodQuery): boolean =>
  saysNear && parsed.place === null && parsed.landmark === null

/**
 * Understands a query, then again with its typos corrected: unknown words that occur at no venue
 * and, if it names no place, misspelt names of several words. Drops words that resemble nothing.
 */
export async function understand(
  db: Db,
  lexicon: Lexicon,
  query: string,
  around: Around = {},
): Promise<UnderstoodQuery> {
  const plain = writtenOut(plainText(query).replace(/['’]/g, ''), lexicon)
  const noted = readNotes(plain, lexicon)
  const unwished = readUnwished(noted.rest, lexicon)
  const said = readRadius(unwished.rest)
  const others = await findVenuesNotWanted(db, said.text, lexicon)
  const near = await nearOf(db, lexicon, others.text, around)
  const whole = near.text
  const radiusKm = around.radius_km ?? said.radiusKm
  const { parsed: all } = near.query
  const unknown = [...new Set(unknownIn(all))].filter((word) => !lexicon.words.has(word))
  const atVenues = unknown.length > 0 ? await selectKnownWords(db, unknown, lexicon.isTest) : []
  const isAtVenues = (word: string) => atVenues.includes(word) || !unknown.includes(word)
  const outside = findOutside(all.words, all, lexicon, isAtVenues)
  const text = outside.phrases.reduce((rest, from) => replacePhrase(rest, { from, to: '' }), whole)
  const first = text === whole ? near.query : parse(text, lexicon)
  const nowhere = unknownIn(first.parsed).filter((word) => !isAtVenues(word))
  const names = namesOfPeople(query)
  const misspelt = nowhere.filter((word) => !names.includes(word))
  const corrections = await correctTypos(db, lexicon, text, misspelt)
  const corrected = isGibberish(first.parsed, nowhere, corrections) ? nothing : corrections
  const spelt = replaceWords(text, corrected)
  const isElsewhere = outside.place !== null || outside.within !== null
  const typo = isElsewhere
    ? undefined
    : placeTypoIn(corrected.size > 0 ? parse(spelt, lexicon) : first, spelt, lexicon)
  const final = typo ? replacePhrase(spelt, typo) : spelt
  const { parsed: inside, visit } = final !== text ? parse(final, lexicon) : first
  const parsed = {
    ...inside,
    ...aroundIn(near.place ?? inside.landmark ?? outside.within, inside.place, radiusKm, lexicon),
    unclear: near.unclear ?? inside.unclear,
    dropped: [...inside.dropped, ...outside.ignored],
  }
  const isMeaningless = (word: string) => nowhere.includes(word)
  const { excluded, unmet, without } = exclusionsIn(inside, isMeaningless)
  const terms = parsed.terms.filter((term) => !term.every(isMeaningless))
  return {
    parsed: withFewTerms({ ...parsed, terms, dropped: [...parsed.dropped, ...unmet] }),
    visit,
    corrections: [...corrected, ...(typo ? [[typo.from, typo.to] as const] : [])].map(
      ([from, to]) => ({ from, to: spelling(to, lexicon) }),
    ),
    nowhere: parsed.unknown.filter(isMeaningless),
    outside: {
      kinds: outside.kinds,
      place: outside.place ?? unknownPlace(plainWords(text), parsed, nowhere),
    },
    names: [...new Set([whole, final].flatMap((one) => namesIn(one, all.unknown)))].filter(
      (name) => !outside.phrases.includes(name),
    ),
    without: { ...without, names: [...near.exceptNames, ...others.names] },
    excluded: [...others.names, ...excluded],
    unmet,
    notes: sentenceOf([...noted.notes, ...unwished.notes]),
    saysNear: nearGuest.test(said.text),
    instead: otherRequest(plain),
    people: peopleIn(whole),
  }
}

const unknownIn = ({ unknown, unknownAvoided }: ParsedQuery) => [...unknown, ...unknownAvoided]

/** What search leaves out, and what it cannot, in the query's words. */
function exclusionsIn(
  { excluded, either, things }: ParsedQuery,
  isMeaningless: (word: string) => boolean,
) {
  const isMet = (one: Exclusion) => isExcludable(one) && !one.said.split(' ').every(isMeaningless)
  const met = excluded.filter(isMet)
  const others = categories.filter((one) => either.length > 0 && !either.includes(one))
  return {
    excluded: met.map(({ said }) => said),
    unmet: excluded.filter((one) => !isMet(one)).map(({ said }) => said),
    without: {
      areas: met.flatMap(({ place }) => place?.areas ?? []),
      categories: [...met.flatMap(({ category }) => category ?? []), ...others],
      terms: met.flatMap(({ term }) => (term ? [term] : [])),
      unless: met.some(({ isOfServices }) => isOfServices) ? things : [],
    },
  }
}

const nearGuest = new RegExp(`\\b(?:${nearGuestWords.join('|')})\\b`)

type Near = {
  text: string
  query: ReturnType<typeof parse>
  exceptNames: readonly string[]
  place: SearchArea | null
  unclear: ParsedQuery['unclear']
}

/** The place to search near if the caller or the query names a venue, and the rest of the query. */
async function nearOf(db: Db, lexicon: Lexicon, text: string, { near }: Around): Promise<Near> {
  const query = parse(text, lexicon)
  const none = { text, query, place: null, unclear: null, exceptNames: [] }
  if (near !== undefined) {
    const place = await placeOfNear(db, lexicon, near)
    return { ...none, place, exceptNames: [plainWords(place.landmark ?? '').join(' ')] }
  }
  const { parsed } = query
  const venue = parsed.landmark ? undefined : await findNearVenue(db, text, lexicon)
  if (!venue) return none
  const without = replacePhrase(text, { from: venue.words, to: '' })
  const rest = { ...none, text: without, query: parse(without, lexicon) }
  const spot = oneSpot(venue.spots, parsed.place?.areas ?? null)
  if (!spot) return { ...rest, unclear: { said: venue.words, names: [namesOf(venue.spots)] } }
  return { ...rest, place: placeNear(spot.name, spot, lexicon.areas), exceptNames: [venue.words] }
}

/** The point to search near, and the area to search in unless there is a radius. */
function aroundIn(
  landmark: SearchArea | null,
  place: SearchArea | null,
  radiusKm: number | null,
  lexicon: Lexicon,
): Pick<ParsedQuery, 'landmark' | 'place'> {
  const centre = landmark ?? (radiusKm === null ? null : place)
  if (!centre) {
    if (radiusKm === null) return { landmark: null, place }
    throw refuse(
      'invalid_request',
      'The centre of the radius is not known here: name a venue, a landmark or a place, or send ' +
        '`near` with one of them or with "latitude, longitude".',
    )
  }
  const around = inRadius(centre, radiusKm, lexicon)
  return { landmark: around, place: around.radiusKm === null && landmark ? place : null }
}

/** Each term is a separate search, and more words add little meaning. */
const MAX_TERMS = 10

/** The query with only its first terms, the thing wanted before others. */
function withFewTerms(parsed: ParsedQuery): ParsedQuery {
  const { terms, things } = parsed
  const nameOf = (term: readonly string[]) => term.join('|')
  const names = new Set([...things, ...terms].map(nameOf))
  const limited = new Set([...names].slice(0, MAX_TERMS))
  const isKept = (term: readonly string[]) => limited.has(nameOf(term))
  const others = terms.filter((term) => !isKept(term)).map(([word = '']) => word)
  return {
    ...parsed,
    terms: terms.filter(isKept),
    things: things.filter(isKept),
    dropped: [...parsed.dropped, ...others],
  }
}

const MAX_MEANINGLESS = 2

/** In a meaningless text, a word that happens to resemble a place is not a typo. */
function isGibberish(
  { category, place, landmark, unknown }: ParsedQuery,
  nowhere: readonly string[],
  corrections: ReadonlyMap<string, string>,
): boolean {
  const isUnderstood = category !== null || place !== null || landmark !== null
  const rest = unknown.filter((word) => !corrections.has(word))
  return !isUnderstood && rest.length > MAX_MEANINGLESS && nowhere.length > MAX_MEANINGLESS
}

function placeTypoIn({ parsed }: { parsed: ParsedQuery }, text: string, lexicon: Lexicon) {
  return parsed.place || parsed.landmark
    ? undefined
    : placeTypo(plainWords(text).slice(0, MAX_NAME_WORDS), lexicon)
}

function replacePhrase(text: string, { from, to }: { from: string; to: string }): string {
  const [letter, between] = ['[\\p{L}\\p{N}]', '[^\\p{L}\\p{N}]+']
  const phrase = `(?<!${letter})${from.replaceAll(' ', between)}(?!${letter})`
  return text.replace(new RegExp(phrase, 'u'), to)
}

function parse(text: string, lexicon: Lexicon): { parsed: ParsedQuery; visit: RequestedVisit } {
  const { rest, ...said } = readVisit(text)
  const parsed = parseQuery(rest, lexicon)
  const [next] = parsed.others
  const visit = next ? endByNext(said, text, next) : said
  const { partySize, party } = visit
  const isCounted = partySize !== null || party.uncounted !== null
  const left = isCounted ? null : numberLeft(rest, parsed.unknown)
  if (left) {
    const others = parse(left.rest, lexicon)
    const asked = { ...visit, party: { ...party, uncounted: left.said } }
    return { parsed: others.parsed, visit: asked }
  }
  const unread = visit.unread.flatMap(({ words, beside }) => (beside ? [] : plainWords(words)))
  const dropped = [...parsed.dropped, ...unread]
  const { category, either, terms } = parsed
  const isOpen = !category && either.length === 0 && terms.length === 0 && visit.day !== null
  // New Year's Eve is a day, but also an occasion.
  const whole = isOpen ? parseQuery(text, lexicon) : parsed
  const kind = whole.isHinted ? whole.category : category
  return { parsed: { ...parsed, category: kind, dropped }, visit }
}

/** Shows a place under its usual spelling. */
function spelling(word: string, { meanings }: Lexicon): string {
  const meaning = meanings.get(word)
  const name = meaning?.is === 'place' ? meaning.place.name : word
  return plainWords(name).join('') === word ? name : word
}

const sentenceOf = (notes: readonly string[]): string | null =>
  notes.length > 0
    ? notes
        .join(', ')
        .replace(/\b(ca|do|does|must|should|wo)nt\b/g, '$1n’t')
        .replace(/^./, (letter) => letter.toUpperCase())
    : null

const nothing: ReadonlyMap<string, string> = new Map()
