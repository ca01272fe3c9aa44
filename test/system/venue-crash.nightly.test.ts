import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Agent, findSlot } from '../support/agent.ts'
import { afterCommit, beforeCommit, type CrashSite, openCrashSite } from '../support/crash-site.ts'
import { daily, nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

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

const confirmedOnce = {
  booking: [{ status: 'confirmed', fee_status: 'accrued', venue_sync: 'acknowledged' }],
  steps: ['hold', 'ask', 'venue'],
  events: ['booking.held', 'booking.pending', 'booking.confirmed', 'fee.accrued'],
  fees: [{ kind: 'accrual' }],
}

const book = async () => {
  const slot = await findSlot(agent, 'restaurant in Bali')
  const headers = { 'idempotency-key': randomUUID() }
  const { body } = await agent.post('/api/bookings', { ...slot, wait: 0 }, headers)
  return body.booking.id as string
}

/** How often the venue was asked to book, and the last request. */
const asked = async (id: string) => {
  const { history } = await venue.book(id)
  return history.map(({ type }: { type: string }) => type) as string[]
}

test.each(
  daily([
    ['before the venue is asked', beforeCommit(1)],
    ['after the request to the venue is recorded', afterCommit(1)],
    ['before the venue’s yes is applied', beforeCommit(2)],
    ['after the venue’s yes was applied', afterCommit(2)],
  ]),
)('a worker killed %s leaves a booking that both sides have once', async (_when, at) => {
  let id = ''
  await site.killWorkerAt(at, async () => {
    id = await book()
  })
  await site.startWorker()
  expect(await site.outcomeOf(id)).toMatchObject({ status: 'confirmed' })
  expect(await traces(site.network.db, id)).toMatchObject(confirmedOnce)
  expect(await venue.book(id)).toMatchObject({ status: 'confirmed' })
  expect((await asked(id)).filter((type) => type === 'booking.confirm')).toHaveLength(1)
})

nightly(
  'a worker killed between sending and recording: the next asks before resending',
  async () => {
    await venue.script({ on: 'booking.confirm', do: { latency_ms: 20_000 } })
    const worker = await site.startWorker()
    const id = await book()
    await eventually('the venue to have written the booking down', async () =>
      venue.book(id).then(
        ({ status }) => status === 'confirmed',
        () => false,
      ),
    )
    await worker.end('SIGKILL')
    expect(await traces(site.network.db, id)).toMatchObject({ booking: [{ status: 'pending' }] })
    await site.startWorker()
    expect(await site.outcomeOf(id)).toMatchObject({ status: 'confirmed' })
    expect(await traces(site.network.db, id)).toMatchObject(confirmedOnce)
    expect(await asked(id)).toEqual(['booking.confirm', 'booking.status'])
  },
)
