import type { AreaRow } from '../../availability/store/areas.ts'
import { quoted } from '../../contract/safe-text.ts'
import { venueFieldsOf } from '../../contract/venue-fields.ts'
import type { ServiceContent, VenueContent, VenueKey } from '../store/venue-content.ts'
import { areaFor } from './areas.ts'
import { plainService } from './plain-service.ts'
import { plainRecord, problemsOf, type VenueRecord, venueRecord } from './record.ts'
import { type ReadResult, readService, type ServiceContext } from './services.ts'

/** A venue from a file; missing fields keep their value or get a default. */
export type WantedVenue = Omit<VenueContent, 'confirm_mode' | 'is_demo' | 'services'> &
  Partial<Pick<VenueContent, 'confirm_mode' | 'is_demo' | 'services'>> & {
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
  const services = readServices(venue, { ...venue, currency: area.currency })
  if ('problem' in services) return { ...identity, ...services }
  const { slug: area_slug, timezone, currency } = area
  return {
    ...identity,
    value: {
      ...identity.key,
      ...venueFieldsOf(venue),
      area_slug,
      timezone,
      currency,
      ...(services.value && { services: services.value }),
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

/** Undefined if the record has no service. */
function readServices(
  venue: VenueRecord,
  context: ServiceContext,
): ReadResult<ServiceContent[] | undefined> {
  const flat = plainRecord.keyof().options.find((field) => venue[field] !== undefined)
  if (venue.services) {
    if (flat) return { problem: `${flat}: belongs in services, which the venue has` }
    return readAll(venue, context)
  }
  if (venue.hours?.trim() === 'off') return { value: [], notes: [] }
  if (venue.hours === undefined) {
    if (flat) return { problem: `hours: are missing; ${flat} alone cannot be booked` }
    return { value: undefined, notes: ['hours: not given, so nothing new can be booked'] }
  }
  const plain = plainService(venue.category, venue)
  if ('problem' in plain) return plain
  const service = readService(plain.service, context)
  if ('problem' in service) return service
  return {
    value: [service.value],
    notes: [...(plain.note ? [plain.note] : []), ...service.notes],
  }
}

function readAll(venue: VenueRecord, context: ServiceContext): ReadResult<ServiceContent[]> {
  const value: ServiceContent[] = []
  const notes: string[] = []
  for (const [index, record] of (venue.services ?? []).entries()) {
    const service = readService(record, context)
    if ('problem' in service) return { problem: `services.${index}.${service.problem}` }
    if (value.some(({ name }) => name === record.name)) {
      const name = quoted(record.name)
      return { problem: `services.${index}.name: another service is called ${name}` }
    }
    value.push(service.value)
    notes.push(...service.notes.map((note) => `services.${index}.${note}`))
  }
  return { value, notes }
}
