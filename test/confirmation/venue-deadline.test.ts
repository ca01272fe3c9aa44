import { randomUUID } from 'node:crypto'
import { defaultPayloadConverter } from '@temporalio/common'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

/** In minutes: long enough for a few calls, short enough to wait for. */
const PATIENCE = 0.1

let network: Service
let venue: Simulator

beforeAll(async () => {
  network = await openService({ VENUE_ANSWER_MINUTES: String(PATIENCE) })
  venue = await openSimulator()
  const { rows } = await network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(network, id, venue)
})

afterAll(async () => {
  await network?.close()
  await venue?.close()
})

beforeEach(() => venue.clearScript().catch(() => {}))

const book = async () => {
  const slot = await findSlot(network.agent, 'restaurant in Bali')
  const headers = { 'idempotency-key': randomUUID() }
  return network.agent.post('/api/bookings', { ...slot, wait: 60 }, headers)
}

const withdrawn = (id: string) =>
  eventually('the venue to acknowledge the withdrawal', async () => {
    const { booking } = await traces(network.db, id)
    return booking[0]?.venue_sync === 'withdrawn' && !booking[0].live
  })

const expired = {
  booking: [{ status: 'expired', reason_code: 'venue_no_answer', fee_status: 'none' }],
  events: ['booking.held', 'booking.pending', 'booking.expired'],
  fees: [],
  allocations: [{ active: false }],
}

test('a yes after answer_by is withdrawn: the guest was already told no', async () => {
  await venue.script({ on: 'booking.confirm', do: { answer: 'pending' } })
  const { status, body } = await book()
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'venue_no_answer' })
  expect(body.alternatives.length).toBeGreaterThan(0)
  await withdrawn(body.booking_id)
  await venue.call(`/book/${body.booking_id}/confirm`, {})
  await eventually('the late yes to be withdrawn', async () => {
    const { status: own, history } = await venue.book(body.booking_id)
    const cancels = history.filter(({ type }: { type: string }) => type === 'booking.cancel')
    return own === 'cancelled' && cancels.at(-1).revision > cancels[0].revision
  })
  await withdrawn(body.booking_id)
  expect(await traces(network.db, body.booking_id)).toMatchObject(expired)
})

nightly('a venue still undecided at answer_by is told that the booking is over', async () => {
  await venue.script({ on: 'booking.confirm', do: { answer: 'pending' } })
  const { status, body } = await book()
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'venue_no_answer' })
  await withdrawn(body.booking_id)
  expect(await venue.book(body.booking_id)).toMatchObject({ status: 'cancelled' })
  expect(await traces(network.db, body.booking_id)).toMatchObject(expired)
})

nightly('a venue unreachable until answer_by is told once it is reachable', async () => {
  await venue.program().end('SIGKILL')
  const { status, body } = await book()
  expect({ status, code: body.code }).toEqual({ status: 409, code: 'venue_no_answer' })
  expect(await traces(network.db, body.booking_id)).toMatchObject({
    ...expired,
    booking: [{ ...expired.booking[0], venue_sync: 'withdraw_due', live: true }],
  })
  await venue.restart()
  await withdrawn(body.booking_id)
  expect(await venue.book(body.booking_id)).toMatchObject({ status: 'cancelled' })
})

test('a venue that never answers a call delays nobody beyond answer_by and its grace', async () => {
  await venue.script(
    ['booking.confirm', 'booking.status'].map((on) => ({ on, do: { fail: 'hang' }, times: 10 })),
  )
  const { body } = await book()
  expect(body.code).toBe('venue_no_answer')
  const { events } = await network.client.workflow
    .getHandle(bookingWorkflowId(body.booking_id))
    .fetchHistory()
  const [call] = (events ?? []).flatMap(
    ({ activityTaskCompletedEventAttributes: completed }) => completed?.result?.payloads ?? [],
  )
  // At `answer_by`, before the call's own deadline.
  expect(call && defaultPayloadConverter.fromPayload(call)).toMatchObject({
    asked: 'booking.confirm',
    failure: 'aborted',
  })
  await withdrawn(body.booking_id)
})
