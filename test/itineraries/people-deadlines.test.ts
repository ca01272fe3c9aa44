import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { addDays, dateOf, toLocal, weekdayOf, zonedMinute } from '../../src/base/local-time.ts'
import type { Agent } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { postEnvelope } from '../support/open-doors.ts'
import { test } from '../support/service.ts'
import { addVenue, type TestVenue } from '../support/test-venues.ts'

const ZONE = 'Asia/Makassar'
/** The venues are in Bali, where nobody is at work before this date begins. */
const day = addDays(dateOf(toLocal(ZONE, new Date())), 2)
const allDay = { open: '00:00', close: '24:00' }
const later = { windows: [{ day: weekdayOf(day), ...allDay }] }
const always = { windows: [1, 2, 3, 4, 5, 6, 7].map((one) => ({ day: one, ...allDay })) }

let service: Service
let agent: Agent
let absent: TestVenue
let present: TestVenue
let auto: TestVenue

test.beforeAll(async ({ service: shared }) => {
  service = shared
  agent = service.agent
  absent = await addVenue(service.db, [{ rules: later }], { confirmMode: 'request' })
  present = await addVenue(service.db, [{ rules: always }], { confirmMode: 'request' })
  auto = await addVenue(service.db)
})

const slot = ({ id }: TestVenue, time: string) => ({
  venue_id: id,
  slot_time: `${day}T${time}`,
  party_size: 2,
})
const once = () => ({ 'idempotency-key': randomUUID() })
const make = (...parts: unknown[]) => agent.post('/api/itineraries', { parts, wait: 30 }, once())

test('a person who is away: every answer and read says who decides, and by when', async () => {
  const begun = performance.now()
  const asked = { ...slot(absent, '19:00:00'), wait: 60 }
  const { status, body, headers } = await agent.post('/api/bookings', asked, once())
  expect(performance.now() - begun).toBeLessThan(30_000)
  expect(status).toBe(202)
  const { id, answer_by } = body.booking
  const by = zonedMinute(ZONE, new Date(answer_by))
  expect(by).toBe(`${day} 00:15 (${ZONE})`)
  const said = `A person at the venue answers in its opening hours, by ${by}. Tell your user that`
  expect(body.next).toContain(said)
  expect([body.retry_after, headers.get('retry-after')]).toEqual([1800, '1800'])
  const read = await agent.get(`/api/bookings/${id}`)
  expect(read).toMatchObject({ status: 200, body: { next: body.next, retry_after: 1800 } })
  expect(read.headers.get('retry-after')).toBe('1800')
  const envelope = { protocol: 'service/a2a/v1', intent: 'booking.get', payload: { id } }
  const over = await postEnvelope(service.url, agent.key, envelope)
  expect(JSON.stringify(over.body)).toContain(said)
})

test('an itinerary whose person cannot answer in time is refused before any hold', async () => {
  const { status, body } = await make(slot(auto, '12:00:00'), slot(absent, '19:00:00'))
  expect({ status, body }).toMatchObject({
    status: 409,
    body: { code: 'venue_answers_later', part: 2, answer_by_local: expect.stringContaining(day) },
  })
  expect(body.detail).toContain(`${day} 00:15 (${ZONE})`)
  expect(Date.parse(body.possible_from)).toBe(Date.parse(body.answer_by) - 240 * 60_000)
  const { rows } = await service.db.query('select from booking where venue_id = $1', [auto.id])
  expect(rows).toHaveLength(0)
})

test('parts that overlap are refused before any hold, unless the guests split up', async () => {
  const parts = [slot(auto, '18:30:00'), slot(present, '19:00:00')]
  const refused = await agent.post('/api/itineraries', { parts, also: false })
  expect(refused).toMatchObject({ status: 409, body: { code: 'parts_overlap', parts: [1, 2] } })
  expect(refused.body.detail).toContain(`Part 1 lasts until ${day} 20:00 and part 2 begins at`)
  expect(refused.body.detail).toContain('`also: true`')
  const { status, body } = await make(...parts)
  expect(status).toBe(202)
  const { id, answer_by, answer_by_local, warnings } = body.itinerary
  expect(Date.parse(answer_by) - Date.now()).toBeGreaterThan(10 * 60_000)
  expect(answer_by_local).toContain(`(${ZONE})`)
  expect(warnings).toMatchObject([{ code: 'parts_overlap', parts: [1, 2] }])
  expect(warnings[0].message).toContain(`${day} 20:00`)
  const read = await agent.get(`/api/itineraries/${id}`)
  expect(read.body.itinerary.warnings).toEqual(warnings)
  expect(read.body.next).toContain('Part 2: A person at the venue answers')
  expect(Number(read.headers.get('retry-after'))).toBeGreaterThanOrEqual(30)
})

test('the failed part of an itinerary has its alternatives, even when read later', async () => {
  const full = await addVenue(service.db, [{ resources: [{}] }])
  await agent.post('/api/bookings', slot(full, '19:00:00'), once())
  const { body } = await make(slot(auto, '10:00:00'), slot(full, '19:00:00'))
  expect(body).toMatchObject({ code: 'itinerary_not_possible', part: 2 })
  const read = await agent.get(`/api/itineraries/${body.itinerary_id}`)
  const [, failed] = read.body.itinerary.parts
  expect(failed).toMatchObject({ code: 'slot_unavailable', alternatives: body.alternatives })
  expect(failed.alternatives[0]).toMatchObject({ kind: 'same_day', same_time: false })
})
