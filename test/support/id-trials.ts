import type { Capability } from '../../src/contract/capability.ts'
import { jsonSchemaOf } from '../../src/doors/calls/json-schema.ts'
import { catalogue } from '../../src/network.ts'
import type { Owner, Things } from './belongings.ts'

/** Whose id the field contains, and the rest of the input if it is not the example. */
type Named = keyof Things | 'venue' | { thing: keyof Things; input: Record<string, unknown> }

/** Every id field in the catalogue, with the first account's id that the second account tries. */
export const named: Record<string, Record<string, Named>> = {
  'venue.get': { slug: 'venue' },
  'venue.availability': { slug: 'venue' },
  'booking.extend': { id: 'hold' },
  'booking.release': { id: 'hold' },
  'booking.confirm': { hold_id: { thing: 'hold', input: {} } },
  'booking.get': { id: 'booking' },
  'booking.amend': { id: 'booking' },
  'booking.cancel': { id: 'booking' },
  'booking.accept_offer': { id: 'booking' },
  'booking.refuse_offer': { id: 'booking' },
  'booking.timeline': { id: 'booking' },
  'booking.calendar': { id: 'booking' },
  'itinerary.get': { id: 'itinerary' },
  'itinerary.cancel': { id: 'itinerary' },
  'watch.get': { id: 'watch' },
  'watch.cancel': { id: 'watch' },
  'agent.get': { name: 'agent' },
  'agent.update': { name: 'agent' },
  'agent.delete': { name: 'agent' },
  'webhook.get': { id: 'endpoint' },
  'webhook.update': { id: 'endpoint' },
  'webhook.delete': { id: 'endpoint' },
  'webhook.verify': { id: 'endpoint' },
  'webhook.test': { id: 'endpoint' },
  'webhook.pause': { id: 'endpoint' },
  'webhook.resume': { id: 'endpoint' },
  'webhook.enable': { id: 'endpoint' },
  'webhook.disable': { id: 'endpoint' },
  'webhook.rotate': { id: 'endpoint' },
  'webhook.activate': { id: 'endpoint', key_id: 'signingKey' },
  'webhook.revoke': { id: 'endpoint' },
  'event.get': { id: 'event' },
  'booking.events': { id: 'booking' },
  'delivery.list': { endpoint: 'endpoint', event: 'event' },
  'delivery.stats': { endpoint: 'endpoint' },
  'delivery.get': { id: 'delivery' },
  'delivery.retry': { id: 'delivery' },
  'delivery.retry_many': { 'deliveries[]': { thing: 'delivery', input: {} }, endpoint: 'endpoint' },
  'replay.create': { id: 'endpoint', 'events[]': { thing: 'event', input: { dry_run: true } } },
  'replay.list': { id: 'endpoint' },
  'replay.get': { id: 'replay' },
  'replay.pause': { id: 'replay' },
  'replay.resume': { id: 'replay' },
  'replay.cancel': { id: 'replay' },
  'key.get': { id: 'key' },
  'key.update': { id: 'key' },
  'key.roll': { id: 'key' },
  'key.revoke': { id: 'key' },
  'connection.revoke': { id: 'connection' },
  'clock.get': { id: 'clock' },
  'clock.advance': { id: 'clock' },
  'clock.delete': { id: 'clock' },
  'invoice.get': { id: 'invoice' },
  'invoice.lines': { id: 'invoice' },
  'request.list': { key: 'key', booking: 'booking' },
  'request.get': { id: 'request' },
  'audit.list': { actor: 'key' },
  'payment.create': { due_id: 'due' },
  'payment.get': { id: 'payment' },
}

/** The id fields of an operation: those in its address, and every UUID. */
export function fieldsWithIds({ operation, rest }: Capability): string[] {
  const inPath = [...rest.route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '')
  return [...new Set([...inPath, ...uuidsIn(jsonSchemaOf(operation.input, 'input'), '')])].sort()
}

function uuidsIn(schema: any, path: string): string[] {
  const { properties = {}, items, format, anyOf = [], oneOf = [], allOf = [] } = schema
  const ofFields = Object.entries(properties).flatMap(([name, one]) =>
    uuidsIn(one, path ? `${path}.${name}` : name),
  )
  const ofOthers = [...anyOf, ...oneOf, ...allOf].flatMap((one) => uuidsIn(one, path))
  const ofItems = items ? uuidsIn(items, `${path}[]`) : []
  return [...(format === 'uuid' ? [path] : []), ...ofFields, ...ofItems, ...ofOthers]
}

/** An operation with someone else's id in one of its fields. */
export type Trial = {
  capability: Capability
  field: string
  thing: keyof Things
  isInPath: boolean
}

export const trials: Trial[] = catalogue.flatMap((capability) =>
  Object.entries(named[capability.a2a] ?? {}).flatMap(([field, of]) => {
    if (of === 'venue') return []
    const isInPath = capability.rest.route.includes(`{${field}}`)
    return [{ capability, field, thing: thingOf(of), isInPath }]
  }),
)

function thingOf(of: Exclude<Named, 'venue'>): keyof Things {
  return typeof of === 'string' ? of : of.thing
}

/** The input: an id of `theirs` in this field, and ids of `mine` in all others. */
export function inputOf({ capability, field, thing }: Trial, mine: Owner, theirs: Owner) {
  const fields = named[capability.a2a] ?? {}
  const of = fields[field]
  const input = { ...(typeof of === 'object' ? of.input : capability.example) }
  for (const [name, other] of Object.entries(fields)) {
    if (other !== 'venue' && capability.rest.route.includes(`{${name}}`)) {
      input[name] = mine.things[thingOf(other)]
    }
  }
  const id = theirs.things[thing]
  return field.endsWith('[]') ? { ...input, [field.slice(0, -2)]: [id] } : { ...input, [field]: id }
}
