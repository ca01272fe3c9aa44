import { randomUUIDv7 } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { OfferingChanges } from '../store/changed-venues.ts'
import type {
  OfferingContent,
  ResourceContent,
  StoredOffering,
  StoredVenue,
  VenueContent,
} from '../store/venue-content.ts'
import { inOrder } from './offerings.ts'
import type { WantedVenue } from './read-venue.ts'

const isWithdrawn = ({ rules }: StoredOffering) => rules.windows.length === 0

/** What a stored venue says: without what was withdrawn and retired. */
export function contentOf(venue: StoredVenue): VenueContent {
  const { id: _, timezone: _zone, currency: _currency, is_connected: _connected, ...rest } = venue
  const { offerings, ...content } = rest
  return { ...content, offerings: offerings.filter((one) => !isWithdrawn(one)).map(offeringOf) }
}

const offeringOf = ({ name, strategy, rules, resources }: StoredOffering): OfferingContent => ({
  name,
  strategy,
  rules,
  resources: inOrder(resources.filter(({ is_retired }) => !is_retired)),
})

/** The venue as it should be: what is not said stays as it is, and so does who confirms for a venue with a system of its own. */
export function mergedContent(
  wanted: WantedVenue,
  { is_connected }: StoredVenue,
  current: VenueContent,
): VenueContent {
  const { timezone: _zone, currency: _currency, ...said } = wanted
  const { source, external_id, confirm_mode } = current
  return { ...current, ...said, source, external_id, ...(is_connected && { confirm_mode }) }
}

/** What to say when a file and a venue's connection to its own system do not agree on who confirms. */
export function connectionNote(
  { confirm_mode: said }: WantedVenue,
  current?: StoredVenue,
): string | undefined {
  if (current?.is_connected && said && said !== current.confirm_mode) {
    return `confirm_mode: stays ${current.confirm_mode}, as the venue is connected; \`npm run venues -- disconnect\` ends that`
  }
  if (said !== 'http' || current?.confirm_mode === 'http') return undefined
  return 'confirm_mode: nothing can be booked until `npm run venues -- connect`'
}

export const isSame = (one: VenueContent, other: VenueContent): boolean =>
  isDeepStrictEqual(one, other)

export const noChanges = (): OfferingChanges => ({
  added: [],
  rules: [],
  positions: [],
  addedResources: [],
  resources: [],
})

/** Adds to `changes` what makes the offerings of a venue what they should be, and answers what becomes of inventory that bookings have. */
export function planOfferings(
  venue: Pick<StoredVenue, 'id' | 'offerings'>,
  wanted: readonly OfferingContent[],
  changes: OfferingChanges,
): string[] {
  const notes: string[] = []
  const left = [...venue.offerings]
  const order: string[] = []
  for (const [position, offering] of wanted.entries()) {
    // Another strategy guards inventory in another way, so it is another offering.
    const known = left.findIndex(
      (one) => one.name === offering.name && one.strategy === offering.strategy,
    )
    const [before] = known < 0 ? [] : left.splice(known, 1)
    if (before) {
      order.push(before.id)
      changeOffering(before, offering, changes, notes)
    } else {
      const added = newOffering(offering)
      order.push(added.id)
      changes.added.push({ ...added, venue_id: venue.id, position })
    }
  }
  for (const gone of left) {
    order.push(gone.id)
    if (isWithdrawn(gone)) continue
    changes.rules.push({
      id: gone.id,
      version: gone.rule_version + 1,
      rules: { ...gone.rules, windows: [] },
    })
    notes.push(`${gone.name}: withdrawn; its bookings stay`)
  }
  for (const { id, position } of venue.offerings) {
    const now = order.indexOf(id)
    if (now !== position) changes.positions.push({ id, position: now })
  }
  return notes
}

/** An offering with ids of its own. */
export const newOffering = ({ resources, ...offering }: OfferingContent) => ({
  ...offering,
  id: randomUUIDv7(),
  resources: resources.map((resource) => ({ ...resource, id: randomUUIDv7() })),
})

function changeOffering(
  before: StoredOffering,
  wanted: OfferingContent,
  changes: OfferingChanges,
  notes: string[],
): void {
  if (!isDeepStrictEqual(before.rules, wanted.rules)) {
    changes.rules.push({ id: before.id, version: before.rule_version + 1, rules: wanted.rules })
  }
  const keyOf = ({ kind, name }: Pick<ResourceContent, 'kind' | 'name'>) => `${kind}\n${name}`
  const left = new Map(before.resources.map((resource) => [keyOf(resource), resource]))
  for (const resource of wanted.resources) {
    const known = left.get(keyOf(resource))
    left.delete(keyOf(resource))
    if (!known) {
      changes.addedResources.push({ ...resource, id: randomUUIDv7(), offering_id: before.id })
      continue
    }
    const { id } = known
    const { party_min, party_max, joins } = resource
    const isSameSize = known.party_min === party_min && known.party_max === party_max
    if (!isSameSize || known.joins !== joins || known.is_retired) {
      changes.resources.push({ id, party_min, party_max, joins, is_retired: false })
    }
  }
  const retired = [...left.values()].filter(({ is_retired }) => !is_retired)
  for (const { id, party_min, party_max, joins } of retired) {
    changes.resources.push({ id, party_min, party_max, joins, is_retired: true })
  }
  if (retired.length > 0) {
    notes.push(`${before.name}: ${retired.length} retired; bookings that have them stay`)
  }
}
