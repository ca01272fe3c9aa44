import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId, waitlistWorkflowId } from '../../src/base/ids.ts'
import { COMMANDS_SUBMITTED_SIGNAL } from '../../src/bookings/rules/booking-messages.ts'
import { ENTRY_CHANGED_SIGNAL } from '../../src/waitlist/rules/entry.ts'
import { findSlot } from '../support/agent.ts'
import { fillSlot } from '../support/full-slot.ts'
import { openService, type Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { openTemporal } from '../support/temporal-server.ts'
import { traces } from '../support/traces.ts'
import { connectVenue, openSimulator, type Simulator } from '../support/venues.ts'

/** The defaults are 4,096 events, 2,000 updates and 10,000 signals. */
const limits = [
  'limit.historyCount.suggestContinueAsNew=40',
  'history.maxTotalUpdates=20',
  'history.maximumSignalsPerExecution=20',
  // A lost task blocks its workflow for 2 s instead of 10 s.
  'history.defaultWorkflowTaskTimeout="2s"',
]

let temporal: Awaited<ReturnType<typeof openTemporal>>
let service: Service
let venue: Simulator

beforeAll(async () => {
  temporal = await openTemporal(limits)
  service = await openService({ TEMPORAL_ADDRESS: temporal.address })
  venue = await openSimulator()
  const { rows } = await service.db.query(`select id from venue where category = 'spa'`)
  for (const { id } of rows) await connectVenue(service, id, venue)
})

afterAll(async () => {
  await service?.close()
  await venue?.close()
  await temporal?.close()
})

/** Makes the venue reachable again, and has it called at once. */
async function reopen(id: string): Promise<void> {
  await venue.clearScript()
  await handleOf(id).signal(COMMANDS_SUBMITTED_SIGNAL)
}

const handleOf = (id: string) => service.client.workflow.getHandle(bookingWorkflowId(id))

test('a booking takes more commands and signals than Temporal allows in one run', async () => {
  const { agent, db } = service
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const { id } = (await agent.post('/api/bookings', slot)).body.booking
  const handle = handleOf(id)
  const first = await handle.describe()
  for (let nth = 1; nth <= 30; nth += 1) {
    await handle.signal(COMMANDS_SUBMITTED_SIGNAL)
    const answered = await agent.post(`/api/holds/${id}/extend`, {})
    expect(answered).toMatchObject({ status: 409, body: { code: 'already_final' } })
  }
  const now = await handle.describe()
  expect(now).toMatchObject({ status: { name: 'RUNNING' }, memo: first.memo })
  expect(now.runId).not.toBe(first.runId)
  expect(now.memo?.summary).toContain('2 at ')
  expect(now.historyLength).toBeLessThan(80)
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, {})
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  expect(await handle.result()).toBe('cancelled')
  const { events } = await traces(db, id)
  const made = ['booking.held', 'booking.confirmed', 'fee.accrued']
  expect(events).toEqual([...made, 'booking.cancelled', 'fee.reversed'])
})

test('twenty commands at a time all get their answer while runs change', async () => {
  const { agent } = service
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const { id } = (await agent.post('/api/bookings', slot)).body.booking
  for (let round = 0; round < 3; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => agent.post(`/api/holds/${id}/extend`, { wait: 60 })),
    )
    expect(answers.map(({ body }) => body.code)).toEqual(Array(20).fill('already_final'))
  }
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).status).toBe(200)
})

test('a waitlist entry that changes often continues as new', async () => {
  const { agent, db, client } = service
  const { slot } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
  const { venueId: venue_id, slotTime: slot_time } = slot
  const { body } = await agent.post('/api/watches', { venue_id, slot_time, party_size: 2 })
  const handle = client.workflow.getHandle(waitlistWorkflowId(body.watch.id))
  const { runId, memo } = await handle.describe()
  const now = await eventually('another run', async () => {
    await handle.signal(ENTRY_CHANGED_SIGNAL)
    const described = await handle.describe()
    return described.runId !== runId && described
  })
  expect(now).toMatchObject({ status: { name: 'RUNNING' }, memo })
  await agent.post(`/api/watches/${body.watch.id}/cancel`, {})
  expect(await handle.result()).toBe('cancelled')
})

test('a caller waits through many runs for a venue that cannot be reached', async () => {
  const { agent, db } = service
  await venue.script({ on: 'booking.confirm', do: { fail: 'status_503' }, times: 2 })
  await venue.script({ on: 'booking.status', do: { fail: 'status_503' }, times: 100 })
  const asked = { ...(await findSlot(agent, 'massage in Bali', 1)), wait: 60 }
  const answering = agent.post('/api/bookings', asked, { 'idempotency-key': randomUUID() })
  const id = await eventually('the booking', async () => {
    const { rows } = await db.query(
      `select id from booking where account_id = $1 and status = 'pending'`,
      [agent.accountId],
    )
    return rows[0]?.id as string | undefined
  })
  const { runId } = await handleOf(id).describe()
  await eventually('another run', async () => (await handleOf(id).describe()).runId !== runId)
  await reopen(id)
  expect(await answering).toMatchObject({ status: 201, body: { booking: { id } } })
  const { booking, fees } = await traces(db, id)
  expect(booking).toMatchObject([{ status: 'confirmed', live: true }])
  expect(fees).toMatchObject([{ kind: 'accrual' }])
})

test('a withdrawal is sent through many runs until the venue acknowledges it', async () => {
  const { agent, db } = service
  await venue.script([
    { on: 'booking.confirm', do: { answer: 'pending' } },
    { on: 'booking.cancel', do: { fail: 'status_503' }, times: 100 },
  ])
  const asked = { ...(await findSlot(agent, 'massage in Bali', 1)), wait: 0 }
  const { id } = (await agent.post('/api/bookings', asked)).body.booking
  const isAtVenue = async (sync: string) =>
    (await traces(db, id)).booking.some(({ venue_sync }) => venue_sync === sync)
  await eventually('the venue to be asked', () => isAtVenue('sent'))
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).status).toBe(200)
  const { runId } = await handleOf(id).describe()
  await eventually('another run', async () => (await handleOf(id).describe()).runId !== runId)
  expect(await isAtVenue('withdraw_due')).toBe(true)
  await reopen(id)
  expect(await handleOf(id).result()).toBe('cancelled')
  expect(await isAtVenue('withdrawn')).toBe(true)
})
