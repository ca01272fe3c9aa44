import { makeKey } from './agent.ts'
import type { Service } from './network.ts'
import { postEnvelope } from './open-doors.ts'
import { eventually } from './programs.ts'
import type { Receiver } from './receiver.ts'
import { answer as answerAtVenue, linkTo } from './venue-people.ts'

type Call = (intent: string, input: Record<string, unknown>) => Promise<any>

/** `tell` records a call for the reference; `call` does not. */
export type Story = { tell: Call; call: Call; accountId: string }

/** Fees accrue at confirmation, whatever the date of the slot. */
const thisMonth = () => new Date().toISOString().slice(0, 7)

const VENUE = 'angin-laut-sushi-canggu'

/** Search, holds, a booking, and what can be read about the booking. */
export async function bookingStory({ tell, call }: Story): Promise<void> {
  await tell('venue.list', { area: 'canggu', limit: 1 })
  await tell('venue.get', { slug: VENUE })
  await tell('booking.search', { query: 'sushi in Canggu for 2', limit: 1 })
  // Begins on a day when the venue is open, because answers about closed days look different.
  const ahead = await call('venue.availability', { slug: VENUE, party_size: 2, days: 7 })
  const date = ahead.days[1].times.length > 0 ? 'tomorrow' : 'day after tomorrow'
  const week = { slug: VENUE, party_size: 2, date, days: 7 }
  const { days } = await tell('venue.availability', week)
  const { date: last, times } = days.findLast((day: any) => day.times.length > 2)
  const slot = (nth: number) => ({
    venue_id: VENUE,
    slot_time: `${last}T${times[nth]}:00`,
    party_size: 2,
  })
  const released = await tell('booking.hold', slot(1))
  await tell('booking.extend', { id: released.booking.id })
  await tell('booking.release', { id: released.booking.id })
  const { booking } = await tell('booking.confirm', { ...slot(0), guest: { name: 'Ayu' } })
  const one = { id: booking.id }
  await tell('booking.get', one)
  await tell('booking.list', { status: 'confirmed', limit: 1 })
  await tell('booking.calendar', one)
  await tell('booking.amend', { ...one, party_size: 3, dry_run: true })
  await tell('booking.timeline', one)
  await tell('booking.events', one)
  const { events } = await tell('event.recent', { types: 'booking.*', limit: 1 })
  await tell('event.get', { id: events[0].id })
  await tell('event.list', { after: 0, limit: 1 })
  await tell('fee.list', { month: thisMonth(), limit: 1 })
  await tell('booking.cancel', { ...one, by: 'guest' })
}

/** An agent with an Agent Card, and the feed that it appears in. */
export async function agentStory({ tell }: Story): Promise<void> {
  const name = 'ubud-concierge'
  await tell('agent.register', {
    name,
    description: 'Plans evenings in Ubud and books them.',
    capabilities: ['booking', 'travel.planning'],
    homepage: 'https://agent.example/',
  })
  await tell('network.feed', { limit: 1 })
  await tell('agent.list', { limit: 1 })
  await tell('agent.mine', {})
  await tell('agent.get', { name })
  await tell('agent.update', { name, version: '1.1.0' })
  await tell('agent.delete', { name })
}

/** The first free slot of a venue that has several, some days ahead. */
async function slotAt({ call }: Story, slug: string) {
  const { days } = await call('venue.availability', { slug, party_size: 2, days: 7 })
  const { date, times } = days.findLast((day: any) => day.times.length > 2)
  return { venue_id: slug, slot_time: `${date}T${times[0]}:00`, party_size: 2 }
}

const venueOf = async ({ call }: Story, query: string): Promise<string> =>
  (await call('booking.search', { query, limit: 1 })).venues[0].slug

/** A massage and a dinner, booked together or not at all. */
export async function itineraryStory(story: Story): Promise<void> {
  const massage = await slotAt(story, await venueOf(story, 'massage in Ubud for 2'))
  const dinner = await slotAt(story, VENUE)
  const { itinerary } = await story.tell('itinerary.create', { parts: [massage, dinner] })
  await story.tell('itinerary.get', { id: itinerary.id })
  await story.tell('itinerary.cancel', { id: itinerary.id, by: 'guest' })
}

/** A waitlist for the only table of a venue, which someone else has booked. */
export async function waitlistStory(story: Story, { db, url }: Service): Promise<void> {
  const other = await makeKey(db, 'pro')
  const slot = await slotAt(story, 'satu-meja')
  const intent = 'booking.confirm'
  const message = { protocol: 'service/a2a/v1', from: 'agent://other', intent, payload: slot }
  await postEnvelope(url, other.key, message)
  const { watch } = await story.tell('watch.create', { ...slot, flex_minutes: 0 })
  await story.tell('watch.get', { id: watch.id })
  await story.tell('watch.list', { limit: 1 })
  await story.tell('watch.cancel', { id: watch.id })
}

/** Two bookings that a venue's staff answer with another time. */
export async function offerStory(story: Story, service: Service): Promise<void> {
  const slug = await venueOf(story, 'yoga in Ubud for 2')
  for (const intent of ['booking.accept_offer', 'booking.refuse_offer']) {
    const slot = await slotAt(story, slug)
    const { booking } = await story.call('booking.confirm', { ...slot, wait: 0 })
    const { id } = booking
    const read = async () => (await story.call('booking.get', { id })).booking
    await eventually('the question to the venue', async () => (await read()).answer_by ?? undefined)
    const link = await linkTo(service, booking.venue.id)
    const { days } = await story.call('venue.availability', { slug, party_size: 2, days: 7 })
    const { date, times } = days.findLast((day: any) => day.times.length > 2)
    const instead = `${date}T${times[1]}:00`
    await answerAtVenue(`${link}/bookings/${id}`, 'offered', { slot_time: instead })
    await eventually('the offer', async () => (await read()).offer ?? undefined)
    await story.tell(intent, { id })
  }
}

/** An endpoint from its verification to its deletion, with deliveries and a replay. */
export async function webhookStory(
  { tell, call }: Story,
  receiver: Receiver,
  learn: (secret: string) => void,
): Promise<void> {
  const made = await tell('webhook.create', { url: receiver.url, event_types: ['*'] })
  learn(made.secret)
  const { id } = made.endpoint
  await tell('webhook.verify', { id, wait: 10 })
  await tell('webhook.list', {})
  await tell('webhook.get', { id })
  await tell('webhook.update', { id, rate_per_second: 20 })
  await tell('webhook.test', { id, note: 'hello' })
  const delivery = await eventually('a delivery', async () => {
    const { deliveries } = await call('delivery.list', { status: 'delivered', limit: 1 })
    return deliveries[0]
  })
  await tell('delivery.list', { status: 'delivered', limit: 1 })
  await tell('delivery.get', { id: delivery.id })
  await tell('delivery.stats', { endpoint: id, hours: 1 })
  await tell('delivery.retry', { id: delivery.id, wait: 10 })
  await tell('delivery.retry_many', { deliveries: [delivery.id] })
  const { replay } = await tell('replay.create', { id, from_number: 1, per_second: 1 })
  await tell('replay.get', { id: replay.id })
  await tell('replay.pause', { id: replay.id })
  await tell('replay.resume', { id: replay.id })
  await tell('replay.cancel', { id: replay.id })
  await tell('replay.list', { id, limit: 1 })
  await tell('webhook.rotate', { id, staged: true })
  await tell('webhook.activate', { id, force: true })
  await tell('webhook.revoke', { id })
  await tell('webhook.pause', { id })
  await tell('webhook.resume', { id })
  await tell('webhook.disable', { id })
  await tell('webhook.enable', { id })
  await tell('webhook.delete', { id })
}

/** Keys, plan, usage, requests and the audit log. */
export async function accountStory({ tell, call }: Story): Promise<void> {
  const { key } = await tell('key.create', { name: 'booking agent', scopes: ['bookings'] })
  await tell('key.list', { limit: 1 })
  await tell('key.get', { id: key.id })
  await tell('key.update', { id: key.id, name: 'booking agent, Ubud' })
  const rolled = await tell('key.roll', { id: key.id, overlap_hours: 24 })
  await tell('key.revoke', { id: rolled.key.id })
  await tell('plan.get', {})
  await tell('plan.change', { tier: 'pro' })
  await tell('usage.get', { days: 1 })
  await tell('overview.get', {})
  // Only an account's first 20 bodies per second are recorded, so this polls once a second.
  const readRecorded = async () => {
    const listed = await call('request.list', { operation: 'plan', limit: 1 })
    const [found] = listed.requests
    const read = found && (await call('request.get', { id: found.request_id }))
    if (read?.answer && listed.next_cursor) return found.request_id
    if (read) await call('plan.get', {})
    return undefined
  }
  const id = await eventually('the request with its bodies', readRecorded, 60_000, 1_100)
  await tell('request.list', { operation: 'plan', limit: 1 })
  await tell('request.get', { id })
  await tell('request.recording', {})
  await tell('request.record', { bodies: true })
  await tell('audit.list', { action: 'key.created', limit: 1 })
  await tell('member.list', {})
  await tell('network.ping', {})
}
