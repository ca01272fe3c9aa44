import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ServiceChanges } from '../store/changed-venues.ts'
import type {
  ResourceContent,
  ServiceContent,
  StoredService,
  StoredVenue,
  VenueContent,
} from '../store/venue-content.ts'
import type { WantedVenue } from './read-venue.ts'
import { inOrder } from './services.ts'

const isWithdrawn = ({ rules }: StoredService) => rules.windows.length === 0

/** A stored venue without its withdrawn services and retired resources. */
export function contentOf(venue: StoredVenue): VenueContent {
  const { id: _, timezone: _zone, currency: _currency, is_connected: _connected, ...all } = venue
  const { is_test: _test, ...rest } = all
  const { services, ...content } = rest
  return { ...content, services: services.filter((one) => !isWithdrawn(one)).map(serviceOf) }
}

const serviceOf = ({ name, strategy, rules, resources }: StoredService): ServiceContent => ({
  name,
  strategy,
  rules,
  resources: inOrder(resources.filter(({ is_retired }) => !is_retired)),
})

/** Missing fields keep their value; a connected venue keeps its confirmation mode. */
export function mergedContent(
  venue: WantedVenue,
  { is_connected }: StoredVenue,
  current: VenueContent,
): VenueContent {
  const { timezone: _zone, currency: _currency, ...content } = venue
  const { source, external_id, confirm_mode } = current
  return { ...current, ...content, source, external_id, ...(is_connected && { confirm_mode }) }
}

/** Notes if the venue had been removed, or if the file and its connection disagree. */
export function storedNotes({ confirm_mode: mode }: WantedVenue, current?: StoredVenue): string[] {
  const back = current?.is_test === null ? ['id: was removed; it is back at its old address'] : []
  if (current?.is_connected && mode && mode !== current.confirm_mode) {
    const stays = `confirm_mode: stays ${current.confirm_mode} because the venue is connected`
    return [...back, `${stays}; \`npm run venues -- disconnect\` ends that`]
  }
  if (mode !== 'http' || current?.confirm_mode === 'http') return back
  return [...back, 'confirm_mode: not bookable until `npm run venues -- connect`']
}

export const noChanges = (): ServiceChanges => ({
  added: [],
  rules: [],
  positions: [],
  addedResources: [],
  resources: [],
})

/** Adds the changes to a venue's services to `changes`; returns notes about booked inventory. */
export function planServices(
  venue: Pick<StoredVenue, 'id' | 'services'>,
  services: readonly ServiceContent[],
  changes: ServiceChanges,
): string[] {
  const notes: string[] = []
  const remaining = [...venue.services]
  const order: string[] = []
  for (const [position, service] of services.entries()) {
    // The same name with a different strategy is a different service.
    const index = remaining.findIndex(
      (one) => one.name === service.name && one.strategy === service.strategy,
    )
    const [before] = index < 0 ? [] : remaining.splice(index, 1)
    if (before) {
      order.push(before.id)
      changeService(before, service, changes, notes)
    } else {
      const added = newService(service)
      order.push(added.id)
      changes.added.push({ ...added, venue_id: venue.id, position })
    }
  }
  for (const unused of remaining) {
    order.push(unused.id)
    if (isWithdrawn(unused)) continue
    changes.rules.push({
      id: unused.id,
      version: unused.rule_version + 1,
      rules: { ...unused.rules, windows: [] },
    })
    notes.push(`${unused.name}: withdrawn; its bookings stay`)
  }
  for (const { id, position } of venue.services) {
    const now = order.indexOf(id)
    if (now !== position) changes.positions.push({ id, position: now })
  }
  return notes
}

/** The same resources with new ids. */
export const newService = ({ resources, ...service }: ServiceContent) => ({
  ...service,
  id: randomUUIDv7(),
  resources: resources.map((resource) => ({ ...resource, id: randomUUIDv7() })),
})

function changeService(
  before: StoredService,
  service: ServiceContent,
  changes: ServiceChanges,
  notes: string[],
): void {
  if (!isDeepStrictEqual(before.rules, service.rules)) {
    changes.rules.push({ id: before.id, version: before.rule_version + 1, rules: service.rules })
  }
  const keyOf = ({ kind, name }: Pick<ResourceContent, 'kind' | 'name'>) => `${kind}\n${name}`
  const remaining = new Map(before.resources.map((resource) => [keyOf(resource), resource]))
  for (const resource of service.resources) {
    const existing = remaining.get(keyOf(resource))
    remaining.delete(keyOf(resource))
    if (!existing) {
      changes.addedResources.push({ ...resource, id: randomUUIDv7(), service_id: before.id })
      continue
    }
    const { id } = existing
    const { party_min, party_max, joins } = resource
    const isSameSize = existing.party_min === party_min && existing.party_max === party_max
    if (!isSameSize || existing.joins !== joins || existing.is_retired) {
      changes.resources.push({ id, party_min, party_max, joins, is_retired: false })
    }
  }
  const retired = [...remaining.values()].filter(({ is_retired }) => !is_retired)
  for (const { id, party_min, party_max, joins } of retired) {
    changes.resources.push({ id, party_min, party_max, joins, is_retired: true })
  }
  if (retired.length > 0) {
    notes.push(`${before.name}: ${retired.length} retired; bookings that have them stay`)
  }
}
