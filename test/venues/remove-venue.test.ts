import { randomUUIDv7 } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { evaluateServices } from '../../src/availability/steps/evaluate-services.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { inThreeDays, openAgent } from '../support/agent.ts'
import { everyDoorTo } from '../support/every-door.ts'
import { type FullSlot, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { openService, type Service } from '../support/network.ts'
import { runTyped } from '../support/operator.ts'
import { eventually } from '../support/programs.ts'
import { rulesWith } from '../support/rules.ts'
import { addVenue } from '../support/test-venues.ts'
import { linkTo } from '../support/venue-people.ts'
import { dump, load } from './import-load.ts'

let service: Service
let slot: FullSlot['slot']
let asked: { venue_id: string; slot_time: string; party_size: number }
let booking: string
let watch: string
let before: string
let inSession: { id: string; other: string }
const run = (...typed: string[]) => runTyped(venueProgram, typed, { db: service.db })

beforeAll(async () => {
  service = await openService({}, { isScheduled: true })
  const full = await fillSlot(service.db, { category: 'restaurant', partySize: 2, atLeast: 1 })
  slot = full.slot
  asked = { venue_id: slot.venueId, slot_time: slot.slotTime, party_size: 2 }
  const [holder] = full.holders
  if (!holder) throw new Error('nobody holds a table')
  await releaseBooking(service.db, holder)
  const { body } = await service.agent.post('/api/bookings', asked)
  expect(body.status).toBe('confirmed')
  booking = body.booking.id
  const watcher = await service.agent.post('/api/watches', asked)
  expect(watcher.status).toBe(201)
  watch = watcher.body.watch.id
})
afterAll(() => service?.close())

test('a session with bookings is cancelled with them', async () => {
  const day = inThreeDays()
  const days = [1, 2, 3, 4, 5, 6, 7]
  const sessions = ['07:00', '18:00'].flatMap((start) =>
    days.map((day) => ({ day, start, minutes: 60, places: 9 })),
  )
  const rules = { ...withSessions(rulesWith({ requires: [] }), sessions), kind: 'class' as const }
  const venue = await addVenue(service.db, [{ name: 'Yoga', strategy: 'pooled', rules }], {
    area: 'ubud',
  })
  const { body } = await service.agent.post('/api/bookings', {
    venue_id: venue.id,
    slot_time: `${day}T07:00:00`,
    party_size: 2,
    wait: 20,
  })
  const when = ['--date', day, '--start', '07:00', '--reason', 'Illness']
  await run('session', 'cancel', venue.slug, 'Yoga', ...when, '--cancel-bookings')
  inSession = { id: body.booking.id, other: `${day}T18:00:00` }
})

test('a venue with bookings ahead stays, and nothing changes', async () => {
  await expect(run('remove', slot.venueSlug)).rejects.toThrow(/upcoming bookings at .*/)
  await expect(run('reset', '--yes')).rejects.toThrow('upcoming bookings')
  await expect(run('remove', slot.venueSlug, '--cancel-bookings', ' ')).rejects.toThrow('a reason')
  await expect(run('remove', 'no-such-venue')).rejects.toThrow('There is no venue no-such-venue.')
  expect((await service.agent.get(`/api/venues/${slot.venueSlug}`)).status).toBe(200)
  expect((await service.agent.get(`/api/watches/${watch}`)).body.watch.status).toBe('watching')
})

test('a removed venue is gone at every door, and its bookings and watches end', async () => {
  before = await dump(service.db, 'json')
  const page = await linkTo(service, slot.venueId)
  expect((await fetch(page)).status).toBe(200)
  const printed = await run('remove', slot.venueSlug, '--cancel-bookings', 'closed for good')
  expect(printed).toMatch(
    /is removed\.\n1 watch ended\.\nThe running service cancels \d+ bookings? w/,
  )
  expect((await fetch(page)).status).toBeGreaterThanOrEqual(400)

  const { key } = service.agent
  const inputs = {
    'venue.get': { slug: slot.venueSlug },
    'venue.availability': {
      slug: slot.venueSlug,
      party_size: 2,
      date: asked.slot_time.slice(0, 10),
    },
    'booking.hold': asked,
    'booking.confirm': asked,
    'watch.create': asked,
  }
  for (const [intent, input] of Object.entries(inputs)) {
    for (const [door, send] of everyDoorTo(intent)) {
      const { code, status } = await send(service, key, input)
      expect([intent, door, code, status ?? 410]).toEqual([intent, door, 'venue_removed', 410])
    }
  }
  for (const path of [`/venues/${slot.venueSlug}`, `/venues/${slot.venueSlug}.md`]) {
    expect([path, (await fetch(service.url + path)).status]).toEqual([path, 410])
  }
  const name = encodeURIComponent(slot.venueName)
  const { body } = await service.agent.get(`/api/venues/search?q=${name}&limit=50`)
  expect(body.venues.map(({ slug }: { slug: string }) => slug)).not.toContain(slot.venueSlug)
  expect((await service.agent.get(`/api/watches/${watch}`)).body.watch).toMatchObject({
    status: 'expired',
    reason_code: 'venue_removed',
    venue: { slug: slot.venueSlug },
  })
  const cancelled = await eventually('the booking to be cancelled', async () => {
    const { body } = await service.agent.get(`/api/bookings/${booking}`)
    return body.booking.status === 'cancelled' && body.booking
  })
  expect(cancelled).toMatchObject({
    cancelled_by: 'operator',
    reason: 'closed for good',
    venue: { slug: slot.venueSlug },
  })
  const listed = await service.agent.get(`/api/bookings?venue=${slot.venueSlug}`)
  expect(listed.body.bookings.length).toBeGreaterThan(0)
})

test('the agents of a cancelled session learn what else there is', async () => {
  const answer = await eventually('the booking to be cancelled', async () => {
    const { body: current } = await service.agent.get(`/api/bookings/${inSession.id}`)
    return current.booking.status === 'cancelled' && current
  })
  expect(answer).toMatchObject({
    booking: { cancelled_by: 'operator', fee: { status: 'reversed' } },
    alternatives: expect.arrayContaining([
      expect.objectContaining({ slot_time: inSession.other, kind: 'same_day' }),
    ]),
  })
})

test('the database takes no booking at a removed venue', async () => {
  const { accountId } = await openAgent(service.db, service.url)
  const id = randomUUIDv7()
  const insert = service.db.query(
    `insert into booking (id, account_id, venue_id, service_id, rule_version, status, revision,
       slot_time, starts_at, ends_at, party_size, cancel_until, next_action_at, created_at,
       updated_at)
     select $1, $2, venue_id, service_id, rule_version, 'held', 1, slot_time, starts_at, ends_at,
       party_size, cancel_until, now(), now(), now() from booking where id = $3`,
    [id, accountId, booking],
  )
  await expect(insert).rejects.toThrow('test and live never meet')
})

test('a request that was stored before the removal is refused because of it', async () => {
  const { venueId, slotTime } = slot
  const wanted = { venueId, slotTime, partySize: 2 }
  const { choices, refusal } = await evaluateServices(service.db, wanted, new Date())
  expect([choices, refusal?.code]).toEqual([[], 'venue_removed'])
})

test('removing it again changes nothing, and an import brings it back', async () => {
  await eventually('all its bookings to be over', async () => {
    const { rows } = await service.db.query(
      'select from booking where venue_id = $1 and next_action_at is not null',
      [slot.venueId],
    )
    return rows.length === 0
  })
  expect(await run('remove', slot.venueSlug)).toMatch(/was removed before\.$/)
  expect(JSON.parse(await dump(service.db, 'json')).venues).not.toContainEqual(
    expect.objectContaining({ id: slot.venueId }),
  )
  expect(await load(service.db, before, 'json')).toMatchObject({
    new: 0,
    updated: 1,
    refused: 0,
    lines: [expect.stringContaining('was removed; it is back at its old address')],
  })
  expect((await service.agent.get(`/api/venues/${slot.venueSlug}`)).status).toBe(200)
})
