import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { isOffered } from '../../availability/rules/rules.ts'
import { leadsOf } from '../../availability/rules/sessions.ts'
import type { ServiceChanges } from '../store/changed-venues.ts'
import type {
  ResourceContent,
  ServiceContent,
  StoredResource,
  StoredService,
  StoredVenue,
  VenueContent,
} from '../store/venue-content.ts'
import type { WantedVenue } from './read-venue.ts'
import { inOrder, keyOf, type ServiceList } from './service-list.ts'
import { leaderlessNotes, withOwnTerms } from './sessions.ts'

const isWithdrawn = ({ rules }: StoredService) => !isOffered(rules)

/** A stored venue without its withdrawn services and retired resources. */
export function contentOf(venue: StoredVenue): VenueContent {
  const { id: _, timezone: _zone, currency: _currency, is_connected: _connected, ...all } = venue
  const { is_test: _test, ...rest } = all
  const { services, resources, ...content } = rest
  const nameOf = new Map(services.map(({ id, name }) => [id, name]))
  const shown = resources.filter(({ is_retired }) => !is_retired)
  return {
    ...content,
    services: services.filter((one) => !isWithdrawn(one)).map(serviceOf),
    resources: inOrder(
      shown.map(({ id: _, is_retired: _no, leads: _led, can, ...one }) => {
        return { ...one, can: can ? can.map((id) => nameOf.get(id) ?? id).sort() : null }
      }),
    ),
  }
}

const serviceOf = ({ name, strategy, rules }: StoredService): ServiceContent => ({
  name,
  strategy,
  rules,
})

/** Missing fields keep their value; a connected venue keeps its confirmation mode. */
export function mergedContent(
  venue: WantedVenue,
  { is_connected }: StoredVenue,
  current: VenueContent,
  at: Date,
): VenueContent {
  const { timezone: _zone, currency: _currency, ...content } = venue
  const { source, external_id, confirm_mode } = current
  const services =
    venue.services && withOwnTerms({ ...venue, services: venue.services }, current.services, at)
  return {
    ...current,
    ...content,
    source,
    external_id,
    ...(services && { services }),
    ...(is_connected && { confirm_mode }),
  }
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
  venue: Pick<StoredVenue, 'id' | 'services' | 'resources'>,
  { services, resources }: ServiceList,
  changes: ServiceChanges,
): string[] {
  const notes: string[] = []
  const idOf = new Map<string, string>()
  const remaining = [...venue.services]
  const order: string[] = []
  for (const [position, service] of services.entries()) {
    // The same name with a different strategy is a different service.
    const index = remaining.findIndex(
      (one) => one.name === service.name && one.strategy === service.strategy,
    )
    const [before] = index < 0 ? [] : remaining.splice(index, 1)
    const id = before?.id ?? randomUUIDv7()
    order.push(id)
    idOf.set(service.name, id)
    if (!before) changes.added.push({ ...service, id, venue_id: venue.id, position })
    else if (!isDeepStrictEqual(before.rules, service.rules)) {
      changes.rules.push({ id, version: before.rule_version + 1, rules: service.rules })
      notes.push(...leaderlessNotes(before, service))
    }
  }
  for (const unused of remaining) {
    order.push(unused.id)
    if (isWithdrawn(unused)) continue
    const { sessions: _, ...withoutSessions } = unused.rules
    changes.rules.push({
      id: unused.id,
      version: unused.rule_version + 1,
      rules: { ...withoutSessions, windows: [] },
    })
    notes.push(`${unused.name}: withdrawn; its bookings stay`)
  }
  const led = resources.map((one) => ({ ...one, leads: leadsOf(services, one) }))
  notes.push(...changeResources(venue, led, idOf, changes))
  for (const { id, position } of venue.services) {
    const now = order.indexOf(id)
    if (now !== position) changes.positions.push({ id, position: now })
  }
  return notes
}

/** Services and resources with new ids. */
export function newServices({ services, resources }: ServiceList) {
  const added = services.map((service) => ({ ...service, id: randomUUIDv7() }))
  const idOf = new Map(added.map(({ id, name }) => [name, id]))
  return { services: added, resources: resources.map((one) => newResource(one, idOf)) }
}

const newResource = (
  { can, windows: hours, ...resource }: ResourceContent,
  idOf: ReadonlyMap<string, string>,
) => ({
  ...resource,
  hours,
  can: can ? can.map((name) => idOf.get(name) ?? name).sort() : null,
  id: randomUUIDv7(),
})

function changeResources(
  venue: Pick<StoredVenue, 'id' | 'resources'>,
  resources: readonly (ResourceContent & Pick<StoredResource, 'leads'>)[],
  idOf: ReadonlyMap<string, string>,
  changes: ServiceChanges,
): string[] {
  const remaining = new Map(venue.resources.map((resource) => [keyOf(resource), resource]))
  for (const resource of resources) {
    const existing = remaining.get(keyOf(resource))
    remaining.delete(keyOf(resource))
    const wanted = newResource(resource, idOf)
    if (!existing) changes.addedResources.push({ ...wanted, venue_id: venue.id })
    else {
      const now = { ...wanted, id: existing.id, is_retired: false }
      if (!isDeepStrictEqual(now, storedForm(existing))) changes.resources.push(now)
    }
  }
  const retired = [...remaining.values()].filter(({ is_retired }) => !is_retired)
  for (const one of retired) {
    changes.resources.push({ ...storedForm(one), leads: null, is_retired: true })
  }
  if (retired.length === 0) return []
  return [`resources: ${retired.length} retired; bookings that have them stay`]
}

const storedForm = ({ windows: hours, can, ...one }: StoredResource) => ({
  ...one,
  hours,
  can: can ? can.toSorted() : null,
})
