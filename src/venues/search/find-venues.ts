import type { VenueRow } from '../../availability/store/venues.ts'
import { shownKm } from '../../base/distance.ts'
import type { Interpretation } from '../../contract/interpretation.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { FactFilter } from '../store/text-query.ts'
import { NAMED_ELSEWHERE } from '../store/venue-names.ts'
import { LABEL_STEP, MISSING_STEP, type RankedVenue, selectVenues } from '../store/venue-search.ts'
import { notCovered } from './coverage.ts'
import type { Lexicon } from './lexicon.ts'
import { selectNamed } from './named.ts'
import type { Around } from './near.ts'
import { KM_PER_DEGREE, type SearchArea, timezoneOf } from './places.ts'
import { type QueryReading, readings, searchedIn } from './readings.ts'
import { isNearGuest, type UnderstoodQuery, understand } from './understand.ts'

/** Where a block starts: after this venue in the results of a step (the name, or a reading). */
export type Start = { step: number; rank: number; slug: string }

/** A found venue. A lower standing means a better match; equal standings match equally well. */
type FoundVenue = { venue: VenueRow & { distance_km?: number }; standing: number }

/** A block of venues in database order, and the reading of the query that found them. */
export type FoundVenues = {
  understood: UnderstoodQuery
  reading: QueryReading
  venues: readonly FoundVenue[]
  /** places and kinds in the query that the network lacks */
  notCovered: Interpretation['not_covered']
  /** the time zone of the place, if it has a single one */
  timezone: string | undefined
  next: Start | null
}

type BlockQuery = {
  query: string
  around: Around
  sizeFor: (understood: UnderstoodQuery) => number
  start: Start | null
}

/**
 * A block of the venues for a free text: named venues, then the venues of the first reading that
 * matches any, trying the exact reading first, then wider ones.
 */
export async function findVenues(
  db: Db,
  lexicon: Lexicon,
  { query, around, sizeFor, start }: BlockQuery,
): Promise<FoundVenues> {
  const understood = await understand(db, lexicon, query, around)
  return findBlock(db, lexicon, understood, { size: sizeFor(understood), start })
}

type Page = { after: { rank: number; slug: string } | null; limit: number }
type Step = {
  reading: QueryReading
  byName: boolean
  /** whether the venues are known to have the needed facts; others of the same reading follow */
  known: FactFilter['known']
  find: (page: Page) => Promise<RankedVenue[]>
}

async function findBlock(
  db: Db,
  lexicon: Lexicon,
  understood: UnderstoodQuery,
  { size, start }: { size: number; start: Start | null },
): Promise<FoundVenues> {
  const areas = understood.parsed.place?.areas ?? understood.parsed.landmark?.areas ?? []
  const timezone = timezoneOf(areas, lexicon.areas)
  const nothing = nothingOf(understood)
  const venues: FoundVenue[] = []
  const block = {
    understood,
    reading: nothing,
    venues,
    notCovered: notCovered(understood.outside, lexicon.areas),
    timezone,
  }
  for await (const step of stepsFrom(start, steps(db, lexicon, understood))) {
    const { number, byName, known, after, find } = step
    const room = size - venues.length
    const rows = await find({ after, limit: room + 1 })
    const page = rows.slice(0, room)
    if (venues.length === 0) block.reading = saidWhere(step, page)
    if (byName) block.notCovered = null
    const { landmark } = understood.parsed
    venues.push(...page.map((one) => withDistance(standing(one, step), landmark)))
    if (rows.length > room) return { ...block, next: startAfter(number, page.at(-1)) }
    const isLast = !byName && known !== 'yes'
    if (isLast && (start || venues.length > 0)) return { ...block, next: null }
  }
  return { ...block, reading: venues.length === 0 ? nothing : block.reading, next: null }
}

/** The steps from the block's first one onwards, each with where the block starts in it. */
async function* stepsFrom(start: Start | null, all: AsyncIterable<Step>) {
  let number = 0
  for await (const step of all) {
    const after = number === start?.step ? start : null
    if (number >= (start?.step ?? 0)) yield { ...step, number, after }
    number += 1
  }
}

async function* steps(db: Db, lexicon: Lexicon, understood: UnderstoodQuery): AsyncGenerator<Step> {
  const { isTest } = lexicon
  if (understood.instead) return
  const venueByName = await selectNamed(db, understood, isTest)
  if (venueByName) yield { ...venueByName, byName: true, known: null }
  if (!venueByName && (isOutside(understood) || isNearGuest(understood))) return
  for await (const reading of readings(db, understood, lexicon)) {
    const { category, place, terms, match, facts } = reading
    const names = [...understood.without.names, ...(venueByName ? [venueByName.name] : [])]
    const without = { ...understood.without, names }
    const scope = { isTest, category, ...searchedIn(place, 'ordered'), terms, match, without }
    const step = (known: FactFilter['known']): Step => ({
      ...{ reading, byName: false, known },
      find: (page) => selectVenues(db, { ...scope, facts: { needed: facts, known }, ...page }),
    })
    if (facts.length > 0) yield step('yes')
    yield step(facts.length > 0 ? 'no' : null)
    if (venueByName) return
  }
}

/** Whether the place, or everything wanted, is outside the network, so that no venue can match. */
const isOutside = ({ outside: { place, kinds }, parsed }: UnderstoodQuery): boolean =>
  place !== null ||
  (kinds.length > 0 && parsed.either.length === 0 && (parsed.category === null || parsed.isHinted))

/** A named venue is shown wherever it is; notes if it is outside the requested place. */
function saidWhere({ reading, byName }: Step, [first]: readonly RankedVenue[]): QueryReading {
  const isElsewhere = byName && reading.place !== null && first?.rank === NAMED_ELSEWHERE
  if (!isElsewhere) return reading
  const { name, area } = first.venue
  return { ...reading, widened: `${name} is not ${reading.place?.where}: it is in ${area}.` }
}

const startAfter = (step: number, last: RankedVenue | undefined): Start =>
  last ? { step, rank: last.rank, slug: last.venue.slug } : { step, rank: -1, slug: '' }

const nothingOf = ({ parsed }: UnderstoodQuery): QueryReading => {
  const { category, place, facts, dropped, unknown } = parsed
  const all = [...dropped, ...unknown]
  return { category, place, terms: [], match: 'all', facts, dropped: all, widened: null }
}

/** A venue with its distance from the point to search near, to 100 m. */
function withDistance({ venue, standing }: FoundVenue, near: SearchArea | null): FoundVenue {
  if (!near?.origin) return { venue, standing }
  const distance_km = shownKm(venue, near.origin)
  return { venue: { ...venue, distance_km }, standing }
}

/** By name, then by quality of match, then by whole kilometres from a point or centre. */
function standing(
  { venue, rank }: RankedVenue,
  { reading: { place }, byName, known }: Step,
): FoundVenue {
  if (byName) return { venue, standing: rank - LABEL_STEP }
  const isCentred = place !== null && (place.origin !== null || place.areas.length === 1)
  const kilometre = isCentred ? Math.floor((rank % LABEL_STEP) * KM_PER_DEGREE) : 0
  return {
    venue,
    standing:
      (known === 'no' ? UNKNOWN_FACT : 0) +
      Math.floor(rank / LABEL_STEP) * MAX_KM +
      Math.min(kilometre, MAX_KM - 1),
  }
}
const MAX_KM = 100_000
const LABELS_PER_MISSING = MISSING_STEP / LABEL_STEP
/** Exceeds any other standing: venues come last if a needed fact is unknown. */
const UNKNOWN_FACT = 1e9

/** Whether a venue's labels lack some of the words, which its description has. */
export const isMention = (standing: number): boolean =>
  standing >= 0 && Math.floor((standing % UNKNOWN_FACT) / MAX_KM) % LABELS_PER_MISSING > 0
