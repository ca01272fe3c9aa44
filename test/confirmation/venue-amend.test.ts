import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withSessions } from '../../src/availability/rules/sessions.ts'
import { venueProgram } from '../../src/commands/venue-program.ts'
import { type Agent, inThreeDays } from '../support/agent.ts'
import { askedOf, bookAtVenue, rowsOf, settledAtVenue } from '../support/amended-bookings.ts'
import { openService, type Service } from '../support/network.ts'
import { daily } from '../support/nightly.ts'
import { runTyped } from '../support/operator.ts'
import { eventually } from '../support/programs.ts'
import { rulesWith } from '../support/rules.ts'
import { addSpa } from '../support/spa.ts'
import { addVenue } from '../support/test-venues.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

let network: Service
let agent: Agent
let venue: Simulator

beforeAll(async () => {
  network = await openService()
  agent = network.agent
  venue = await openSimulator()
  const { rows } = await network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(network, id, venue)
})

afterAll(async () => {
  await network?.close()
  await venue?.close()
})

beforeEach(() => venue.clearScript())

let booked: string[] = []
afterEach(async () => {
  for (const id of booked) await agent.post(`/api/bookings/${id}/cancel`, { wait: 60 })
  booked = []
})

const book = async () => {
  const made = await bookAtVenue(agent)
  booked.push(made.id)
  return made
}

const amend = (id: string, change: Record<string, unknown>, key: string = randomUUID()) =>
  agent.patch(`/api/bookings/${id}`, { wait: 60, ...change }, { 'idempotency-key': key })

const bookingOf = async (id: string) => (await agent.get(`/api/bookings/${id}`)).body.booking

const onAmend = (does: Record<string, unknown>) => venue.script({ on: 'booking.amend', do: does })

/** The time and party size in the venue's books. */
const stayOf = async (id: string) => {
  const { status, stay, change = null } = await venue.book(id)
  return { status, slot_time: stay.slot_time, party_size: stay.party_size, change }
}

const amendedOnce = {
  fees: [{ kind: 'accrual' }, { kind: 'reversal' }, { kind: 'accrual' }],
  events: [
    'booking.held',
    'booking.pending',
    'booking.confirmed',
    'fee.accrued',
    'booking.amended',
    'fee.reversed',
    'fee.accrued',
  ],
  allocations: [{ kind: 'table', active: true }],
}

describe('a venue with a connector', () => {
  test('is asked for a change, and its yes amends the booking and its fee', async () => {
    const { id, booking, free } = await book()
    const before = await rowsOf(network.db, id)
    const change = { slot_time: free, party_size: 4 }
    const dry = await amend(id, { ...change, dry_run: true })
    expect(dry).toMatchObject({ status: 200, body: { status: 'possible' } })
    expect(await rowsOf(network.db, id)).toEqual(before)
    const { status, body } = await amend(id, change)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'amended',
      booking: { id, status: 'confirmed', ...change, change: null },
      amended: { from: { slot_time: booking.slot_time, party_size: 2 } },
    })
    expect(body.booking.fee.amount_minor).toBe(booking.fee.amount_minor * 2)
    expect(await traces(network.db, id)).toMatchObject(amendedOnce)
    expect(await stayOf(id)).toEqual({ status: 'confirmed', ...change, change: null })
    expect(await askedOf(venue, id)).toEqual(['booking.confirm', 'booking.amend'])
    // The guest changes it back on their page.
    const when = { slot_time: booking.slot_time, date: booking.slot_time.slice(0, 10) }
    const revision = String((await bookingOf(id)).revision)
    const form = new URLSearchParams({ form: randomUUID(), guests: '2', revision, ...when })
    await fetch(`${booking.guest_url}/change`, { method: 'POST', body: form })
    await eventually('the change back', async () => (await bookingOf(id)).party_size === 2)
  })

  test('is told the service, its length and who leads it', async () => {
    const spa = await addSpa(network.db, 'http')
    await connectVenue(network, spa.id, venue)
    const slot = { venue_id: spa.id, slot_time: `${inThreeDays()}T10:00:00`, party_size: 1 }
    const wish = { service: 'balinese', with: 'Made' }
    const { body } = await agent.post('/api/bookings', { ...slot, ...wish, wait: 60 })
    const { id } = body.booking
    const told = { service: 'Balinese massage', minutes: 60, with: ['Made'] }
    expect((await venue.book(id)).stay).toMatchObject(told)
    const changed = await amend(id, { with: 'Ayu', minutes: 90 })
    expect(changed.body).toMatchObject({
      status: 'amended',
      booking: { service: { minutes: 90, with: ['Ayu'] } },
    })
    expect((await venue.book(id)).stay).toMatchObject({ ...told, minutes: 90, with: ['Ayu'] })
    const later = await amend(id, { slot_time: '14:00' })
    expect(later.body.booking.service).toMatchObject({ minutes: 90, with: ['Ayu'] })
  })

  test('that agrees to a move into a cancelled session is told the original one', async () => {
    const day = inThreeDays()
    const sessions = ['10:00', '12:00'].map((start) => ({
      date: day,
      start,
      minutes: 60,
      places: 5,
    }))
    const rules = withSessions(rulesWith({ requires: [], kind: 'class' }), sessions)
    const yoga = { name: 'Yoga', strategy: 'pooled' as const, rules }
    const studio = await addVenue(network.db, [yoga], { confirmMode: 'http' })
    await connectVenue(network, studio.id, venue)
    const slot = { venue_id: studio.id, slot_time: `${day}T12:00:00`, party_size: 1 }
    const { id } = (await agent.post('/api/bookings', { ...slot, wait: 60 })).body.booking
    await onAmend({ answer: 'pending', later: [{ status: 'confirmed', after_ms: 5000 }] })
    expect((await amend(id, { slot_time: '10:00', wait: 1 })).status).toBe(202)
    const options = ['--date', day, '--start', '10:00', '--reason', 'Flu']
    const typed = ['session', 'cancel', studio.slug, 'Yoga', ...options]
    const told = await runTyped(venueProgram, typed, { db: network.db })
    expect(told).toMatch(
      /is cancelled\.\nTheir venue is being asked to move these into it; they stay/,
    )
    expect(told).toContain(`${id}  confirmed, party of 1`)
    const { body } = await amend(id, { slot_time: '10:00' })
    expect(body).toMatchObject({
      code: 'venue_closed',
      detail: expect.stringContaining('session was cancelled'),
      alternatives: expect.any(Array),
    })
    await settledAtVenue(network.db, id)
    expect(await stayOf(id)).toMatchObject({ slot_time: slot.slot_time })
    expect(await bookingOf(id)).toMatchObject({ status: 'confirmed', slot_time: slot.slot_time })
    const { rows } = await network.db.query(
      `select used from slot_counter c join service s on s.id = c.service_id
       where s.venue_id = $1 order by starts_at`,
      [studio.id],
    )
    expect(rows).toEqual([{ used: 0 }, { used: 1 }])
  })

  test('leaves the booking unchanged when it declines', async () => {
    const { id, free } = await book()
    const before = await rowsOf(network.db, id)
    const stay = await stayOf(id)
    await onAmend({ answer: 'declined', reason: 'A wedding' })
    const { status, body } = await amend(id, { slot_time: free })
    expect(status).toBe(409)
    expect(body).toMatchObject({
      code: 'venue_declined',
      booking_id: id,
      booking_status: 'confirmed',
    })
    expect(body.alternatives).toHaveLength(5)
    expect(await rowsOf(network.db, id)).toEqual(before)
    expect(await stayOf(id)).toMatchObject({ ...stay, change: { status: 'declined' } })
    expect((await amend(id, { slot_time: free })).body.status).toBe('amended')
  })

  test('can take its time: both slots are kept, and the agent sees the change', async () => {
    const { id, booking, free } = await book()
    await onAmend({ answer: 'pending', later: [{ status: 'confirmed', after_ms: 15_000 }] })
    const key = randomUUID()
    const pending = await amend(id, { slot_time: free, wait: 1 }, key)
    expect(pending).toMatchObject({
      status: 202,
      body: {
        status: 'pending',
        booking: {
          slot_time: booking.slot_time,
          status: 'confirmed',
          change: { slot_time: free, party_size: 2 },
        },
      },
    })
    const kept = (await traces(network.db, id)).allocations
    expect(kept.filter(({ active }) => active).length).toBe(2)
    expect((await amend(id, { party_size: 5 })).body.code).toBe('not_decided_yet')
    const [same, again] = await Promise.all([
      agent.patch(`/api/bookings/${id}`, { slot_time: free, wait: 60 }),
      amend(id, { slot_time: free, wait: 60 }, key),
    ])
    for (const { body } of [same, again]) {
      expect(body).toMatchObject({ status: 'amended', booking: { slot_time: free, change: null } })
    }
    expect((await traces(network.db, id)).allocations).toHaveLength(1)
  })

  test('that says yes after its no is told the original booking', async () => {
    const { id, free } = await book()
    const before = await rowsOf(network.db, id)
    const stay = await stayOf(id)
    await onAmend({ answer: 'declined', later: [{ status: 'confirmed', after_ms: 500 }] })
    expect((await amend(id, { slot_time: free })).body.code).toBe('venue_declined')
    await eventually('the venue to be told what holds', async () => {
      const asked = await askedOf(venue, id)
      return asked.filter((type) => type === 'booking.amend').length === 2
    })
    await settledAtVenue(network.db, id)
    expect(await stayOf(id)).toEqual(stay)
    expect(await rowsOf(network.db, id)).toEqual(before)
  })

  test('that says no after its yes cancels the amended booking', async () => {
    const { id, free } = await book()
    await onAmend({ later: [{ status: 'declined', after_ms: 500 }] })
    expect((await amend(id, { slot_time: free })).body.status).toBe('amended')
    const booking = await eventually('the end', async () => {
      const now = await bookingOf(id)
      return now.status === 'cancelled' && now
    })
    expect(booking).toMatchObject({ reason_code: 'venue_cancelled', fee: { status: 'reversed' } })
  })

  test('that cancels during a change ends the booking, and the requester is told', async () => {
    const { id, free } = await book()
    await onAmend({ answer: 'pending', later: [{ status: 'cancelled', after_ms: 1000 }] })
    const { body } = await amend(id, { slot_time: free })
    expect(body).toMatchObject({ code: 'already_final', booking_id: id })
    expect(await bookingOf(id)).toMatchObject({ status: 'cancelled', cancelled_by: 'venue' })
    const { allocations, fees } = await traces(network.db, id)
    expect(allocations.some(({ active }) => active)).toBe(false)
    expect(fees.map(({ kind }) => kind)).toEqual(['accrual', 'reversal'])
  })

  test('is told of a cancellation during a change, and both slots are freed', async () => {
    const { id, free } = await book()
    await onAmend({ answer: 'pending' })
    const waiting = amend(id, { slot_time: free })
    await eventually('the question', async () => (await bookingOf(id)).change !== null)
    const cancelled = await agent.post(`/api/bookings/${id}/cancel`, { by: 'guest' })
    expect(cancelled.body).toMatchObject({ booking: { status: 'cancelled', change: null } })
    expect((await waiting).body).toMatchObject({ code: 'booking_cancelled', booking_id: id })
    await settledAtVenue(network.db, id)
    expect(await venue.book(id)).toMatchObject({ status: 'cancelled' })
    expect((await rowsOf(network.db, id)).changes).toEqual([])
    const { allocations } = await traces(network.db, id)
    expect(allocations.some(({ active }) => active)).toBe(false)
  })

  test('is not asked for changes that it does not support', async () => {
    const { id, booking, free } = await book()
    const of = [booking.venue.id]
    await network.db.query('update connector set takes_amend = false where venue_id = $1', of)
    const { status, body } = await amend(id, { slot_time: free })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'amend_not_supported' })
    expect(await askedOf(venue, id)).toEqual(['booking.confirm'])
    await network.db.query('update connector set takes_amend = true where venue_id = $1', of)
  })
})

describe('a lost response to a change', () => {
  test.each(daily(['crash_during', 'crash_before', 'crash_after']))(
    'by %s is requested again, and the booking changes once',
    async (fail) => {
      const { id, free } = await book()
      await onAmend({ fail, exit: true })
      const amending = amend(id, { slot_time: free, party_size: 4 })
      await eventually('the crash', async () => venue.program().process.exitCode === 70)
      await venue.restart()
      expect((await amending).body).toMatchObject({ status: 'amended' })
      expect(await traces(network.db, id)).toMatchObject(amendedOnce)
      expect(await stayOf(id)).toMatchObject({ status: 'confirmed', slot_time: free })
      const after =
        fail === 'crash_before' ? ['booking.status', 'booking.amend'] : ['booking.status']
      expect((await askedOf(venue, id)).slice(-after.length)).toEqual(after)
    },
  )

  test.each(daily([{ sign: 'wrong_secret' }, { revision_offset: -1 }, { fail: 'garbage' }]))(
    'because it is forged or invalid (%o) is ignored',
    async (fault) => {
      const { id, free } = await book()
      await onAmend({ answer: 'confirmed', ...fault })
      const { body } = await amend(id, { slot_time: free, party_size: 4 })
      expect(body).toMatchObject({ status: 'amended' })
      expect((await askedOf(venue, id))[2]).toBe('booking.status')
      expect(await traces(network.db, id)).toMatchObject(amendedOnce)
    },
  )
})
