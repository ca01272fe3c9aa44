import { randomUUIDv7 } from 'node:crypto'
import { selectTakenSlugs } from '../../availability/store/venues.ts'
import { venueFieldsOf } from '../../contract/venue-fields.ts'
import type { Db } from '../../platform/database/sql.ts'
import { changeOfferings, insertVenueSources, updateVenues } from '../store/changed-venues.ts'
import { insertImportSeats } from '../store/import-run.ts'
import { insertVenues, type NewVenue } from '../store/new-venues.ts'
import { isOwnId, NETWORK, type StoredVenue, type VenueContent } from '../store/venue-content.ts'
import {
  connectionNote,
  contentOf,
  isSame,
  mergedContent,
  newOffering,
  noChanges,
  planOfferings,
} from './changes.ts'
import type { WantedVenue } from './read-venue.ts'
import type { Counts, Say } from './report.ts'
import { slugChoices } from './slugs.ts'

/** A row that can be loaded, and the venue that it means, if that is there. */
export type WantedRow = {
  row: number
  line: number
  wanted: WantedVenue
  notes: string[]
  current?: StoredVenue | undefined
}

type Options = { isDryRun: boolean; at: Date }

/** Adds, changes or leaves the venues of some rows, and says what there is to say about them. */
export async function applyBatch(
  tx: Db,
  rows: readonly WantedRow[],
  options: Options,
  say: Say,
  counts: Counts,
): Promise<void> {
  const changed: { content: VenueContent; current: StoredVenue }[] = []
  const added: WantedVenue[] = []
  const changes = noChanges()
  for (const { wanted, current, notes, ...place } of rows) {
    const row = { ...place, name: wanted.name }
    const problem = current ? unmovable(wanted, current) : unplaced(wanted)
    if (problem) {
      counts.refused += 1
      say(row, 'refused', problem)
      continue
    }
    const connection = connectionNote(wanted, current)
    for (const note of connection ? [...notes, connection] : notes) say(row, 'note', note)
    if (!current) {
      counts.new += 1
      added.push(wanted)
      continue
    }
    const before = contentOf(current)
    const content = mergedContent(wanted, current, before)
    if (isSame(content, before)) {
      counts.unchanged += 1
      continue
    }
    counts.updated += 1
    changed.push({ content, current })
    for (const note of planOfferings(current, content.offerings, changes)) say(row, 'note', note)
  }
  if (options.isDryRun) return
  if (added.length > 0) await addVenues(tx, added, options.at)
  if (changed.length === 0) return
  await updateVenues(
    tx,
    changed.map(({ content, current: { id } }) => ({ ...content, id })),
  )
  await changeOfferings(tx, changes, options.at)
  await insertImportSeats(tx, changes.rules)
}

/** Bookings are told in the time zone and the currency of their venue. */
function unmovable(wanted: WantedVenue, current: StoredVenue): string | undefined {
  const { timezone, currency, source, external_id } = current
  if (wanted.source !== source) return `id: this venue is ${external_id} of the source ${source}`
  if (wanted.timezone === timezone && wanted.currency === currency) return undefined
  const from = `${timezone} and ${currency} to ${wanted.timezone} and ${wanted.currency}`
  return `area: moves the venue from ${from}, which its bookings could not follow; give it a new id`
}

function unplaced(wanted: WantedVenue): string | undefined {
  if (wanted.source !== NETWORK || isOwnId(wanted)) return undefined
  return `id: within the source ${NETWORK} it is the venue's own, a UUID in lower case; name a source of yours`
}

async function addVenues(tx: Db, wanted: readonly WantedVenue[], at: Date): Promise<void> {
  const named = wanted.map((venue) => ({
    ...venue,
    id: venue.source === NETWORK ? venue.external_id : randomUUIDv7(),
  }))
  const choices = named.map(slugChoices)
  const taken = new Set(await selectTakenSlugs(tx, choices.flat()))
  const venues = named.map((venue, index): NewVenue => {
    const slug = choices[index]?.find((choice) => !taken.has(choice)) ?? venue.id
    taken.add(slug)
    return {
      confirm_mode: 'auto',
      is_demo: false,
      ...venueFieldsOf(venue),
      id: venue.id,
      slug,
      area_slug: venue.area_slug,
      offerings: (venue.offerings ?? []).map(newOffering),
    }
  })
  await insertVenues(tx, venues, at)
  await insertVenueSources(
    tx,
    named.filter(({ source }) => source !== NETWORK),
  )
}
