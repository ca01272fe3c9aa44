import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { askedOf, bookAtVenue, rowsOf, settledAtVenue } from '../support/amended-bookings.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

/** In minutes: long enough for a few calls, short enough to wait for. */
const PATIENCE = 0.1

let network: Service
let agent: Agent
let venue: Simulator

beforeAll(async () => {
  network = await openService({ VENUE_ANSWER_MINUTES: String(PATIENCE) })
  agent = network.agent
  venue = await openSimulator()
  const { rows } = await network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(network, id, venue)
})

afterAll(async () => {
  await network?.close()
  await venue?.close()
})

beforeEach(() => venue.clearScript().catch(() => {}))

const amend = (id: string, change: Record<string, unknown>) =>
  agent.patch(`/api/bookings/${id}`, { wait: 60, ...change }, { 'idempotency-key': randomUUID() })

/** A booking whose venue misses the deadline of a change, with its rows before the change. */
async function unanswered(rules: unknown) {
  const made = await bookAtVenue(agent)
  const before = await rowsOf(network.db, made.id)
  const { stay } = await venue.book(made.id)
  await venue.script(rules)
  const { status, body } = await amend(made.id, { slot_time: made.free })
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'venue_no_answer' })
  expect(body).toMatchObject({ booking_id: made.id, booking_status: 'confirmed' })
  expect(body.alternatives.length).toBeGreaterThan(0)
  return { ...made, before, slotTime: stay.slot_time as string }
}

const phaseOf = async (id: string) =>
  (await network.db.query('select change_phase from booking where id = $1', [id])).rows[0]
    .change_phase

nightly('a venue still undecided at answer_by is told that the booking is unchanged', async () => {
  const { id, free, before, slotTime } = await unanswered({
    on: 'booking.amend',
    do: { answer: 'pending' },
  })
  await settledAtVenue(network.db, id)
  expect(await rowsOf(network.db, id)).toEqual(before)
  const { status, stay, change, history } = await venue.book(id)
  expect({ status, slot_time: stay.slot_time, change }).toEqual({
    status: 'confirmed',
    slot_time: slotTime,
  })
  expect(history.at(-1)).toMatchObject({ type: 'booking.amend', answered: 'confirmed' })
  await eventually('a change that the venue agrees to in time', async () => {
    const { body } = await amend(id, { slot_time: free })
    return body.status === 'amended'
  })
})

test('a yes after answer_by is rolled back: the venue restores the original booking', async () => {
  const later = [{ status: 'confirmed', after_answer_by_ms: 300 }]
  const { id, before, slotTime } = await unanswered([
    { on: 'booking.amend', do: { answer: 'pending', later } },
    { on: 'booking.amend', do: { fail: 'status_503' } },
  ])
  await eventually('the late yes', async () =>
    (await askedOf(venue, id)).includes('post confirmed'),
  )
  await settledAtVenue(network.db, id)
  expect(await venue.book(id)).toMatchObject({ status: 'confirmed', stay: { slot_time: slotTime } })
  expect(await rowsOf(network.db, id)).toEqual(before)
})

test('a venue that cannot restore a booking ends it: no fee, both slots freed', async () => {
  const { id } = await unanswered([
    { on: 'booking.amend', do: { fail: 'hang_after' } },
    { on: 'booking.status', do: { fail: 'status_503' }, times: 9 },
    { on: 'booking.amend', do: { answer: 'declined' } },
  ])
  await settledAtVenue(network.db, id)
  const { allocations, ...left } = await traces(network.db, id)
  expect(left).toMatchObject({
    booking: [{ status: 'cancelled', reason_code: 'venue_cancelled', venue_sync: 'withdrawn' }],
    fees: [{ kind: 'accrual' }, { kind: 'reversal' }],
  })
  expect(left.events.slice(-2)).toEqual(['booking.cancelled', 'fee.reversed'])
  expect(allocations.some(({ active }) => active)).toBe(false)
  expect(await venue.book(id)).toMatchObject({ status: 'cancelled' })
})

nightly('an unreachable venue is told later, and the booking stays active meanwhile', async () => {
  const made = await bookAtVenue(agent)
  const before = await rowsOf(network.db, made.id)
  await venue.program().end('SIGKILL')
  const { body } = await amend(made.id, { slot_time: made.free })
  expect(body.code).toBe('venue_no_answer')
  expect(await phaseOf(made.id)).toBe('restoring')
  expect(await rowsOf(network.db, made.id)).toMatchObject({
    ...before,
    booking: { ...before.booking, change_phase: 'restoring', change_revision: 5 },
  })
  expect((await amend(made.id, { slot_time: made.free })).body.code).toBe('not_decided_yet')
  await venue.restart()
  await settledAtVenue(network.db, made.id)
  expect(await rowsOf(network.db, made.id)).toEqual(before)
  expect(await venue.book(made.id)).toMatchObject({ status: 'confirmed', revision: 5 })
})

test('a booking cancelled while its venue restores it is withdrawn there', async () => {
  const made = await bookAtVenue(agent)
  await venue.program().end('SIGKILL')
  expect((await amend(made.id, { slot_time: made.free })).body.code).toBe('venue_no_answer')
  const { body } = await agent.post(`/api/bookings/${made.id}/cancel`, {})
  expect(body.booking.status).toBe('cancelled')
  await venue.restart()
  await settledAtVenue(network.db, made.id)
  expect(await venue.book(made.id)).toMatchObject({ status: 'cancelled' })
})
