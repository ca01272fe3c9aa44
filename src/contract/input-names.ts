/**
 * Other names that callers may use for a field, at every door. The field's own name always wins,
 * and an operation's own use of a name takes precedence.
 */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  query: ['q', 'text', 'search', 'search_query'],
  party_size: ['guests', 'people', 'pax', 'persons', 'party', 'covers', 'group_size'],
  venue_id: ['venue', 'slug', 'venue_slug'],
  slug: ['venue', 'venue_id', 'venue_slug', 'id'],
  hold_id: ['booking_id'],
  venue: ['venue_id', 'slug', 'venue_slug'],
  slot_time: ['datetime', 'date_time', 'start_time', 'starts_at', 'start', 'slot', 'time'],
  guest: ['guest_name', 'customer', 'customer_name'],
  notes: ['note', 'comment', 'comments', 'special_requests'],
  parts: ['bookings', 'slots', 'items'],
  category: ['kind', 'type'],
  area: ['location', 'city', 'place'],
}

/** Aliases of an id, by the resource before `{id}` in a REST route. */
const idNames: Readonly<Record<string, readonly string[]>> = {
  bookings: ['booking_id'],
  holds: ['booking_id', 'hold_id'],
  itineraries: ['itinerary_id'],
  watches: ['watch_id'],
  webhooks: ['endpoint_id', 'webhook_id'],
  deliveries: ['delivery_id'],
  replays: ['replay_id'],
  events: ['event_id'],
  keys: ['key_id'],
  requests: ['request_id'],
}

/** The other names for a route's `id`, the usual one first; none for a route without `{id}`. */
export function idNamesOf(route: string): readonly string[] {
  const kind = /\/(\w+)\/\{id\}/.exec(route)?.[1]
  return (kind && idNames[kind]) || []
}

/** Fields that together form the text of `into`, unless the operation has those fields itself. */
export const combinations: readonly {
  into: string
  from: readonly [string, string]
  text(first: string, second: string): string
}[] = [
  { into: 'slot_time', from: ['date', 'time'], text: (date, time) => `${date}T${time}` },
  { into: 'query', from: ['query', 'area'], text: (query, area) => `${query} in ${area}` },
  { into: 'query', from: ['category', 'area'], text: (kind, area) => `${kind} in ${area}` },
]
