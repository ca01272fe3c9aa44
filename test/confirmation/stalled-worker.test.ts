import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

/** Longer than a live worker usually pauses, shorter than it takes to count as dead. */
const STALL_MS = 6_000

let network: Service
let venue: Simulator

beforeAll(async () => {
  network = await openService()
  venue = await openSimulator()
  const { rows } = await network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(network, id, venue)
})
afterAll(async () => {
  await network?.close()
  await venue?.close()
})

test('a worker that stalls while calling a venue is not given up, and asks once', async () => {
  await venue.script({ on: 'booking.confirm', do: { latency_ms: 1_000 } })
  const slot = await findSlot(network.agent, 'restaurant in Bali')
  const key = { 'idempotency-key': randomUUID() }
  const pending = await network.agent.post('/api/bookings', { ...slot, wait: 0 }, key)
  const id = pending.body.booking_id ?? pending.body.booking.id
  await eventually('the venue to be asked', async () => {
    const { rows } = await network.db.query('select venue_sync from booking where id = $1', [id])
    return rows[0]?.venue_sync === 'sent'
  })
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STALL_MS)
  await eventually('the booking to be confirmed', async () => {
    const { body } = await network.agent.get(`/api/bookings/${id}`)
    return body.booking.status === 'confirmed'
  })
  const { history } = await venue.book(id)
  expect(history.map(({ type }: { type: string }) => type)).toEqual(['booking.confirm'])
  const { events } = await network.client.workflow.getHandle(`booking/${id}`).fetchHistory()
  expect(events?.filter((event) => event.activityTaskTimedOutEventAttributes)).toEqual([])
})
