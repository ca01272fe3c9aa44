import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openAgent } from '../support/agent.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { type FullSlot, fillSlot, releaseBooking } from '../support/full-slot.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'

// The worker is killed at the commit of an offer: its connection is cut just before or after it.

let site: CrashSite
let full: FullSlot
let asked: { venue_id: string; slot_time: string; party_size: number }

beforeAll(async () => {
  site = await openCrashSite({ WATCH_HOLD_SECONDS: '15' })
  full = await fillSlot(site.network.db, { category: 'restaurant', partySize: 2, atLeast: 4 })
  const { venueId: venue_id, slotTime: slot_time } = full.slot
  asked = { venue_id, slot_time, party_size: 2 }
})

afterAll(() => site?.close())
afterEach(() => site.killWorkers())

/** A confirmed booking for the full slot, with its worker stopped. */
async function book(): Promise<string> {
  const holder = full.holders.pop()
  if (!holder) throw new Error('nobody holds a table any more')
  await releaseBooking(site.network.db, holder)
  await site.startWorker()
  const { body } = await site.agent.post('/api/bookings', asked, {
    'idempotency-key': holder.bookingId,
  })
  await site.killWorkers()
  return body.booking.id
}

async function watch() {
  const { db, config } = site.network
  const agent = await openAgent(db, `http://127.0.0.1:${config.PORT}`)
  const { body } = await agent.post('/api/watches', asked)
  const read = async () => (await agent.get(`/api/watches/${body.watch.id}`)).body.watch
  const stop = () => agent.post(`/api/watches/${body.watch.id}/cancel`, {})
  return { agent, read, stop }
}
const cancel = (id: string) => async () => {
  await site.agent.post(`/api/bookings/${id}/cancel`, { wait: 0 })
}

test('a worker killed before the offer commits makes it once when restarted', async () => {
  const booked = await book()
  const first = await watch()
  await site.killWorkerAt(beforeCommit(1), cancel(booked))
  expect((await first.read()).status).toBe('watching')
  await site.startWorker()
  const offered = await eventually('the offer', async () => {
    const now = await first.read()
    return now.status === 'offered' && now
  })
  const confirmed = await first.agent.post('/api/bookings', { hold_id: offered.hold_id })
  expect(confirmed.body.status).toBe('confirmed')
  expect((await first.read()).status).toBe('fulfilled')
  expect((await traces(site.network.db, booked)).events).toEqual([
    'booking.held',
    'booking.confirmed',
    'fee.accrued',
    'booking.cancelled',
    'fee.reversed',
  ])
})

test('if the worker is killed after the offer commits, the hold still expires', async () => {
  const booked = await book()
  const [first, second] = [await watch(), await watch()]
  await site.killWorkerAt(afterCommit(1), cancel(booked))
  const { status, hold_id } = await first.read()
  expect(status).toBe('offered')
  await site.startWorker()
  const next = await eventually('the next offer', async () => {
    const now = await second.read()
    return now.status === 'offered' && now
  })
  expect(await traces(site.network.db, hold_id)).toMatchObject({
    booking: [{ status: 'expired', live: false }],
    events: ['booking.held', 'venue.availability_opened', 'booking.expired'],
  })
  const confirmed = await second.agent.post('/api/bookings', { hold_id: next.hold_id })
  expect(confirmed.body.status).toBe('confirmed')
  await first.stop()
})

test('a worker killed after the offer commits confirms the hold when asked', async () => {
  const booked = await book()
  const watching = await watch()
  await site.killWorkerAt(afterCommit(1), cancel(booked))
  const { hold_id } = await watching.read()
  await watching.agent.post('/api/bookings', { hold_id, wait: 0 })
  await site.startWorker()
  await eventually('the confirmation', async () => (await watching.read()).status === 'fulfilled')
  expect((await traces(site.network.db, hold_id)).events).toEqual([
    'booking.held',
    'venue.availability_opened',
    'booking.confirmed',
    'fee.accrued',
  ])
})
