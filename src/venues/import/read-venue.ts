import type { AreaRow } from '../../availability/store/areas.ts'
import { quoted } from '../../contract/safe-text.ts'
import { venueFieldsOf } from '../../contract/venue-fields.ts'
import type { OfferingContent, VenueContent, VenueKey } from '../store/venue-content.ts'
import { areaFor } from './areas.ts'
import { type OfferingContext, type ReadResult, readOffering } from './offerings.ts'
import { plainOffering } from './plain-offering.ts'
import { plainRecord, problemsOf, type VenueRecord, venueRecord } from './record.ts'

/** A venue from a file; missing fields keep their value or get a default. */
export type WantedVenue = Omit<VenueContent, 'confirm_mode' | 'is_demo' | 'offerings'> &
  Partial<Pick<VenueContent, 'confirm_mode' | 'is_demo' | 'offerings'>> & {
    timezone: string
    currency: string
  }

/** A record's key, if readable, with its venue or a problem. */
export type ReadRecord = { key?: VenueKey; name?: string } & ReadResult<WantedVenue>

/** Reads a record; `source` applies if it names none. */
export function readVenue(record: unknown, areas: readonly AreaRow[], source: string): ReadRecord {
  const parsed = venueRecord.safeParse(record)
  if (!parsed.success) return { ...identityOf(record, source), problem: problemsOf(parsed.error) }
  const venue = parsed.data
  const key = { source: venue.source ?? source, external_id: venue.id }
  const identity = { key, name: venue.name }
  const area = areaFor(areas, venue.area, venue)
  if ('problem' in area) return { ...identity, ...area }
  if (venue.currency !== undefined && venue.currency !== area.currency) {
    const problem = `currency: is ${quoted(venue.currency)}, but ${area.name} has ${area.currency}`
    return { ...identity, problem }
  }
  const offerings = readOfferings(venue, { ...venue, currency: area.currency })
  if ('problem' in offerings) return { ...identity, ...offerings }
  const { slug: area_slug, timezone, currency } = area
  return {
    ...identity,
    value: {
      ...identity.key,
      ...venueFieldsOf(venue),
      area_slug,
      timezone,
      currency,
      ...(offerings.value && { offerings: offerings.value }),
    },
    notes: offerings.notes,
  }
}

const identity = venueRecord.pick({ id: true, source: true })

function identityOf(record: unknown, source: string): { key?: VenueKey; name?: string } {
  if (typeof record !== 'object' || record === null) return {}
  const fields = record as Record<string, unknown>
  const key = identity.safeParse({ id: fields.id, source: fields.source })
  return {
    ...(key.success && {
      key: { source: key.data.source ?? source, external_id: key.data.id },
    }),
    ...(typeof fields.name === 'string' && { name: fields.name }),
  }
}

/** Undefined if the record has no offering. */
function readOfferings(
  venue: VenueRecord,
  context: OfferingContext,
): ReadResult<OfferingContent[] | undefined> {
  const flat = plainRecord.keyof().options.find((field) => venue[field] !== undefined)
  if (venue.offerings) {
    if (flat) return { problem: `${flat}: belongs in offerings, which the venue has` }
    return readAll(venue, context)
  }
  if (venue.hours?.trim() === 'off') return { value: [], notes: [] }
  if (venue.hours === undefined) {
    if (flat) return { problem: `hours: are missing; ${flat} alone cannot be booked` }
    return { value: undefined, notes: ['hours: not given, so nothing new can be booked'] }
  }
  const plain = plainOffering(venue.category, venue)
  if ('problem' in plain) return plain
  const offering = readOffering(plain.offering, context)
  if ('problem' in offering) return offering
  return {
    value: [offering.value],
    notes: [...(plain.note ? [plain.note] : []), ...offering.notes],
  }
}

function readAll(venue: VenueRecord, context: OfferingContext): ReadResult<OfferingContent[]> {
  const value: OfferingContent[] = []
  const notes: string[] = []
  for (const [index, record] of (venue.offerings ?? []).entries()) {
    const offering = readOffering(record, context)
    if ('problem' in offering) return { problem: `offerings.${index}.${offering.problem}` }
    if (value.some(({ name }) => name === record.name)) {
      const name = quoted(record.name)
      return { problem: `offerings.${index}.name: another offering is called ${name}` }
    }
    value.push(offering.value)
    notes.push(...offering.notes.map((note) => `offerings.${index}.${note}`))
  }
  return { value, notes }
}
