/** Books with types that openapi-typescript generated; prints what it got as JSON. */
import createClient from 'openapi-fetch'
import type { components, paths } from './network.d.ts'

const { URL: baseUrl = '', KEY } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${KEY}` } })

const query = { q: 'Angin Laut Sushi', party_size: 2 }
const search = await client.GET('/api/venues/search', { params: { query } })
if (search.error) throw new Error(search.error.detail)
const venue = firstOf(search.data)
const [day] = venue.availability.days
if (!day?.times[0]) throw new Error('no time is free')

const slot = { venue_id: venue.id, slot_time: `${day.date}T${day.times[0]}`, party_size: 2 }
const header = { 'Idempotency-Key': crypto.randomUUID(), Prefer: 'wait=30' }
const { data, error } = await client.POST('/api/bookings', { params: { header }, body: slot })
if (error) throw new Error(error.detail)
const booking: components['schemas']['OwnBooking'] = data.booking

const path = { id: crypto.randomUUID() }
const missing = await client.GET('/api/bookings/{id}', { params: { path } })
const refusal: components['schemas']['Refusal'] | undefined = missing.error

console.log(JSON.stringify({ id: booking.id, status: booking.status, refusal: refusal?.code }))

/** Each form has fields that the other does not: the compiler knows them by `detail`. */
function firstOf(answer: components['schemas']['BookingSearchAnswer']) {
  if (answer.detail === 'full') throw new Error(`asked for the compact form, got ${answer.detail}`)
  const [first] = answer.venues
  if (!first) throw new Error('no venue was found')
  return first
}
