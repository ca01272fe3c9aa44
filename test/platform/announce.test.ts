import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@temporalio/client'
import { expect } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { selectOptionalBookingStartOf } from '../../src/bookings/store/booking-starts.ts'
import { createEngine } from '../../src/compose/engine.ts'
import { lateAnnouncement } from '../../src/platform/temporal/announce.ts'
import { summarized } from '../../src/platform/temporal/summarized.ts'
import { findSlot } from '../support/agent.ts'
import type { Service } from '../support/network.ts'
import { untilIdle } from '../support/runs.ts'
import { test } from '../support/service.ts'

const SIGNALED = 'workflowExecutionSignaledEventAttributes'

/** The start of a confirmed booking, and a handle to its workflow. */
async function book({ agent, db, client }: Service) {
  const slot = await findSlot(agent, 'restaurant')
  const { body } = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  const { id } = body.booking
  const start = (await selectOptionalBookingStartOf(db, agent.accountId, id)) as BookingStart
  return { start, run: client.workflow.getHandle(bookingWorkflowId(id)) }
}

/** A run's signal count; signals that came during its task join its history afterwards. */
async function signalsOf(run: WorkflowHandle): Promise<number> {
  await untilIdle(run)
  return ((await run.fetchHistory()).events ?? []).filter((event) => event[SIGNALED]).length
}

test('a repeated announcement is a single signal to a run, and restarts a lost run', async ({
  service,
}) => {
  const { start, run } = await book(service)
  const { announceCommands, venueResponded } = createEngine(service.client)
  const three = (tell: () => Promise<void>) => Promise.all([tell(), tell(), tell()])
  await three(() => announceCommands(start, 'one'))
  await three(() => announceCommands(start, 'two'))
  await three(() => venueResponded(start, 'one'))
  expect(await signalsOf(run)).toBe(3)

  await run.terminate()
  await announceCommands(start, 'two')
  expect((await run.describe()).status.name).toBe('RUNNING')
  expect(await signalsOf(run)).toBe(1)
})

test('a command that is repeated without waiting is one signal', async ({ service }) => {
  const { start, run } = await book(service)
  const { command } = createEngine(service.client)
  const amend = { id: 'the same', kind: 'amend', input: {} } as const
  for (let n = 0; n < 3; n += 1) expect(await command(start, amend, 0)).toBe('pending')
  expect(await signalsOf(run)).toBe(1)
})

const QUARTER_MS = 15 * 60_000
const DAY_MS = 96 * QUARTER_MS

test('late work is announced each time its delay has doubled', () => {
  const since = new Date('2026-11-23T10:00:00Z')
  const after = (ms: number) => new Date(since.getTime() + ms)
  const looks = Array.from({ length: 400 * 96 }, (_, n) => after((n + 1) * QUARTER_MS))
  const ids = new Set(looks.map((at) => lateAnnouncement(since, at)))
  expect(ids.size).toBeLessThan(20)
  expect(lateAnnouncement(since, after(20_000))).not.toBe(lateAnnouncement(since, after(40_000)))
  expect(lateAnnouncement(since, after(DAY_MS))).not.toBe(lateAnnouncement(after(1), after(DAY_MS)))
})

test('a summary has at most 200 bytes, and ends with a whole character', () => {
  const short = '2 at Warung'
  expect(summarized(short)).toEqual({ staticSummary: short, memo: { summary: short } })
  const { staticSummary, memo } = summarized('ワルン'.repeat(70))
  expect(Buffer.byteLength(staticSummary)).toBe(198)
  expect(staticSummary).toBe('ワルン'.repeat(22))
  expect(memo.summary).toBe(staticSummary)
})
