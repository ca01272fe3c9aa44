import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { selectTakenSlugs } from '../../availability/store/venues.ts'
import { plainWords } from '../../base/plain-text.ts'
import { venueFieldsOf } from '../../contract/venue-fields.ts'
import type { Db } from '../../platform/database/sql.ts'
import { changeServices, insertVenueSources, updateVenues } from '../store/changed-venues.ts'
import { insertImportSeats } from '../store/import-run.ts'
import { insertVenues, type NewVenue } from '../store/new-venues.ts'
import { isOwnId, NETWORK, type StoredVenue, type VenueContent } from '../store/venue-content.ts'
import {
  contentOf,
  mergedContent,
  newServices,
  noChanges,
  planServices,
  storedNotes,
} from './changes.ts'
import type { WantedVenue } from './read-venue.ts'
import type { Counts, Say } from './report.ts'
import { ledTwice } from './sessions.ts'

/** A row that can be loaded, with its stored venue if there is one. */
export type WantedRow = {
  row: number
  line: number
  venue: WantedVenue
  /** the name of its area or town, with the country */
  town: string
  notes: string[]
  current?: StoredVenue | undefined
}

/** Adds or updates the venues of a batch of rows and reports on them. */
export async function applyBatch(
  tx: Db,
  rows: readonly WantedRow[],
  options: { isDryRun: boolean; at: Date },
  say: Say,
  counts: Counts,
): Promise<void> {
  const changed: { content: VenueContent; current: StoredVenue }[] = []
  const added: WantedVenue[] = []
  const changes = noChanges()
  for (const { row, line, venue, town, current, notes } of rows) {
    const plan = planRow(venue, current, options.at)
    counts[plan.outcome] += 1
    const place = { row, line, name: venue.name }
    if (plan.outcome === 'refused') {
      say(place, 'refused', plan.problem)
      continue
    }
    if (plan.outcome !== 'unchanged') counts.towns.set(town, (counts.towns.get(town) ?? 0) + 1)
    const all = [...notes, ...storedNotes(venue, current)]
    if (plan.outcome === 'new') added.push(venue)
    if (plan.outcome === 'updated') {
      changed.push(plan)
      all.push(...planServices(plan.current, plan.content, changes))
    }
    for (const note of all) say(place, 'note', note)
  }
  if (options.isDryRun) return
  if (added.length > 0) await addVenues(tx, added, options.at)
  if (changed.length === 0) return
  const updated = changed.map(({ content, current: { id } }) => ({ ...content, id }))
  await updateVenues(tx, updated)
  await changeServices(tx, changes, options.at)
  await insertImportSeats(tx, changes.rules)
}

type Plan =
  | { outcome: 'refused'; problem: string }
  | { outcome: 'new' | 'unchanged' }
  | { outcome: 'updated'; content: VenueContent; current: StoredVenue }

/** What to do with a row's venue. */
function planRow(venue: WantedVenue, current: StoredVenue | undefined, at: Date): Plan {
  const before = current && contentOf(current)
  const content = before && mergedContent(venue, current, before, at)
  const unfit = current ? unmovable(venue, current) : unplaced(venue)
  const { timezone } = venue
  const problem = unfit ?? ledTwice(content ?? venue, { timezone, at })
  if (problem) return { outcome: 'refused', problem }
  if (!content) return { outcome: 'new' }
  return isDeepStrictEqual(content, before) && current.is_test !== null
    ? { outcome: 'unchanged' }
    : { outcome: 'updated', content, current }
}

/** Existing bookings depend on the venue's time zone and currency. */
function unmovable(venue: WantedVenue, current: StoredVenue): string | undefined {
  const { timezone, currency, source, external_id, is_test } = current
  if (is_test) return 'id: is that of a test venue, which every network has; leave the row out'
  if (venue.source !== source) return `id: this venue is ${external_id} of the source ${source}`
  if (venue.timezone === timezone && venue.currency === currency) return undefined
  const from = `${timezone} and ${currency} to ${venue.timezone} and ${venue.currency}`
  return `area: moves the venue from ${from}, which would break its bookings; use a new id`
}

function unplaced(venue: WantedVenue): string | undefined {
  if (venue.source !== NETWORK || isOwnId(venue)) return undefined
  return `id: in the source ${NETWORK} it must be a UUID in lower case; use your own source`
}

async function addVenues(tx: Db, sourceVenues: readonly WantedVenue[], at: Date): Promise<void> {
  const candidates = sourceVenues.map((venue) => ({
    ...venue,
    id: venue.source === NETWORK ? venue.external_id : randomUUIDv7(),
  }))
  const choices = candidates.map(slugChoices)
  const takenSlugs = new Set(await selectTakenSlugs(tx, choices.flat()))
  const venues = candidates.map((venue, index): NewVenue => {
    const slug = choices[index]?.find((choice) => !takenSlugs.has(choice)) ?? venue.id
    takenSlugs.add(slug)
    return {
      confirm_mode: 'auto',
      is_demo: false,
      ...venueFieldsOf(venue),
      id: venue.id,
      slug,
      area_slug: venue.area_slug,
      ...newServices({ services: venue.services ?? [], resources: venue.resources ?? [] }),
    }
  })
  await insertVenues(tx, venues, at)
  const sourced = candidates.filter(({ source }) => source !== NETWORK)
  await insertVenueSources(tx, sourced)
}

const MAX_SLUG = 80

/** Candidate slugs for a new venue, best first; the last is always free. */
function slugChoices(venue: { id: string; name: string; area_slug: string }): string[] {
  const words = plainWords(`${venue.name} ${venue.area_slug}`).join('-')
  const nice = words
    .replace(/[^a-z0-9-]/g, '')
    .replace(/-+/g, '-')
    .slice(0, MAX_SLUG)
  const base = nice.replace(/^-|-$/g, '') || venue.area_slug
  return [base, `${base}-${venue.id.slice(-6)}`, venue.id]
}
