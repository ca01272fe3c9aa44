import type { AreaRow } from '../../availability/store/areas.ts'
import { quoted } from '../../contract/safe-text.ts'
import { venueFieldsOf } from '../../contract/venue-fields.ts'
import type { VenueContent, VenueKey } from '../store/venue-content.ts'
import type { Areas } from './areas.ts'
import { readPlace } from './place.ts'
import { readPlainService } from './plain-service.ts'
import { plainRecord, problemsOf, type VenueRecord, venueRecord } from './record.ts'
import { readServiceList, type ServiceList } from './service-list.ts'
import type { ReadResult, ServiceContext } from './services.ts'

/** A venue from a file; missing fields keep their value or get a default. */
export type WantedVenue = Omit<
  VenueContent,
  'confirm_mode' | 'is_demo' | 'services' | 'resources'
> &
  Partial<Pick<VenueContent, 'confirm_mode' | 'is_demo' | 'services' | 'resources'>> & {
    timezone: string
    currency: string
  }

/** A record's key, if readable, with its venue or the problem with it. */
export type ReadRecord = { key?: VenueKey; name?: string } & (
  | (Extract<ReadResult<WantedVenue>, { notes: unknown }> & { area: AreaRow })
  | { problem: string }
)

/** Reads a record; `source` applies if it names none. */
export function readVenue(record: unknown, areas: Areas, source: string): ReadRecord {
  const parsed = venueRecord.safeParse(record)
  if (!parsed.success) return { ...identityOf(record, source), problem: problemsOf(parsed.error) }
  const venue = parsed.data
  const key = { source: venue.source ?? source, external_id: venue.id }
  const identity = { key, name: venue.name }
  const area = areas.find(venue.area, venue)
  if ('problem' in area) return { ...identity, ...area }
  if (venue.currency !== undefined && venue.currency !== area.currency) {
    const problem = `currency: is ${quoted(venue.currency)}, but ${area.name} has ${area.currency}`
    return { ...identity, problem }
  }
  const services = readServices(venue, { ...venue, currency: area.currency })
  if ('problem' in services) return { ...identity, ...services }
  const place = readPlace(venue, area.country)
  if ('problem' in place) return { ...identity, ...place }
  const { slug: area_slug, timezone, currency } = area
  return {
    ...identity,
    area,
    value: {
      ...identity.key,
      ...venueFieldsOf(venue),
      ...place.value,
      area_slug,
      timezone,
      currency,
      ...services.value,
    },
    notes: services.notes,
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

const flatFields = plainRecord.keyof().options

/** Undefined if the record has no service. */
function readServices(
  venue: VenueRecord,
  context: ServiceContext,
): ReadResult<ServiceList | undefined> {
  const { services, resources = [] } = venue
  const flat = flatFields.find((field) => venue[field] !== undefined)
  if (services) {
    if (flat) return { problem: `${flat}: belongs in services, which the venue has` }
    return readServiceList(services, resources, context)
  }
  if (resources.length > 0) return { problem: 'resources: belong to services, which are missing' }
  if (venue.hours?.trim() === 'off') return { value: { services: [], resources: [] }, notes: [] }
  if (venue.hours === undefined) {
    if (flat) return { problem: `hours: are missing; ${flat} alone cannot be booked` }
    return { value: undefined, notes: ['hours: not given, so nothing new can be booked'] }
  }
  return readPlainService(venue.category, venue, context)
}
