import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Agent } from '../support/agent.ts'
import { type Amendable, askedOf, bookAtVenue } from '../support/amended-bookings.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

// A worker is killed while a venue is asked for a change: both sides must make it exactly once.

let site: CrashSite
let agent: Agent
let venue: Simulator

beforeAll(async () => {
  site = await openCrashSite()
  agent = site.agent
  venue = await openSimulator()
  const { rows } = await site.network.db.query(`select id from venue where category = 'restaurant'`)
  for (const { id } of rows) await connectVenue(site.network, id, venue)
})

afterAll(async () => {
  await site?.close()
  await venue?.close()
})

afterEach(() => site.killWorkers())

const changedOnce = {
  booking: [{ status: 'confirmed', fee_status: 'accrued', party_size: 3 }],
  events: [
    'booking.held',
    'booking.pending',
    'booking.confirmed',
    'fee.accrued',
    'booking.amended',
    'fee.reversed',
    'fee.accrued',
  ],
  fees: [{ kind: 'accrual' }, { kind: 'reversal' }, { kind: 'accrual' }],
  allocations: [{ active: true }],
}

/** A confirmed booking, with no worker running. */
async function booked(): Promise<Amendable> {
  await site.startWorker()
  const made = await bookAtVenue(agent)
  await site.killWorkers()
  return made
}

const amend = ({ id, free }: Amendable, key: string, wait: number) =>
  agent.patch(
    `/api/bookings/${id}`,
    { slot_time: free, party_size: 3, wait },
    { 'idempotency-key': key },
  )

const amended = (made: Amendable, key: string) =>
  eventually('the change', async () => {
    const { status, body } = await amend(made, key, 10)
    return status === 200 && body
  })

/** Both sides have the change, and the venue was asked for it once. */
async function expectChangedOnce(made: Amendable, key: string) {
  expect(await amended(made, key)).toMatchObject({ status: 'amended', replayed: true })
  expect(await traces(site.network.db, made.id)).toMatchObject(changedOnce)
  expect(await venue.book(made.id)).toMatchObject({
    status: 'confirmed',
    stay: { slot_time: made.free, party_size: 3 },
  })
  const asked = await askedOf(venue, made.id)
  expect(asked.filter((type) => type === 'booking.amend')).toHaveLength(1)
  await agent.post(`/api/bookings/${made.id}/cancel`, { wait: 30 })
}

test.each([
  ['after the request to the venue is recorded', afterCommit(1)],
  ['before the venue’s yes is applied', beforeCommit(2)],
])('a worker killed %s leaves a booking that both sides change once', async (_when, at) => {
  const made = await booked()
  const key = randomUUID()
  await site.killWorkerAt(at, async () => {
    await amend(made, key, 0)
  })
  await site.startWorker()
  await expectChangedOnce(made, key)
})

test('a worker killed between sending and recording: the next asks before resending', async () => {
  const made = await booked()
  await venue.script({ on: 'booking.amend', do: { latency_ms: 20_000 } })
  const worker = await site.startWorker()
  const key = randomUUID()
  await amend(made, key, 0)
  await eventually('the venue to have written the change down', async () => {
    const { stay } = await venue.book(made.id)
    return stay.slot_time === made.free
  })
  await worker.end('SIGKILL')
  await site.startWorker()
  await amended(made, key)
  expect((await askedOf(venue, made.id)).slice(0, 3)).toEqual([
    'booking.confirm',
    'booking.amend',
    'booking.status',
  ])
  await expectChangedOnce(made, key)
})
