import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { COMMAND_UPDATE, CONFIRM_UPDATE } from '../../src/bookings/rules/booking-messages.ts'
import { findSlot } from '../support/agent.ts'
import { openService, type Service } from '../support/network.ts'
import { nightly } from '../support/nightly.ts'
import { eventually } from '../support/programs.ts'
import { untilIdle } from '../support/runs.ts'
import { requestFromStaff, staffAllDay } from '../support/venue-people.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
  await staffAllDay(service.db, 'restaurant')
})
afterAll(() => service?.close())

test('a wait for people at a venue ends by itself, and the booking continues', async () => {
  const { id } = await requestFromStaff(service)
  const handle = service.client.workflow.getHandle(bookingWorkflowId(id))
  expect(await handle.executeUpdate(CONFIRM_UPDATE, { args: [200] })).toBe('pending')
  const cancelled = await service.agent.post(`/api/bookings/${id}/cancel`, {})
  expect(cancelled).toMatchObject({ status: 200, body: { booking: { status: 'cancelled' } } })
})

nightly('waiting again for the venue’s decision costs no step', async () => {
  const { agent, client, db } = service
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const held = await agent.post('/api/holds', slot, { 'idempotency-key': randomUUID() })
  const { id } = held.body.booking
  await agent.post('/api/bookings', { hold_id: id, wait: 0 })
  const { rows } = await db.query('select id, kind, input from command where booking_id = $1', [id])
  const handle = client.workflow.getHandle(bookingWorkflowId(id))
  const wait = (ms: number) => handle.executeUpdate(COMMAND_UPDATE, { args: [rows[0], ms] })
  const steps = async () => {
    const { events } = await handle.fetchHistory()
    return events?.filter(({ activityTaskScheduledEventAttributes: step }) => step).length
  }
  await eventually('the venue to be asked', async () => {
    const { body } = await agent.get(`/api/bookings/${id}`)
    return body.booking.answer_by !== null
  })
  await untilIdle(handle)
  // The command's step finishes during the wait.
  expect(await wait(10_000)).toBe('pending')
  await untilIdle(handle)
  const before = await steps()
  for (let nth = 1; nth <= 3; nth += 1) expect(await wait(100)).toBe('pending')
  expect(await steps()).toBe(before)
  await agent.post(`/api/bookings/${id}/cancel`, {})
})

test('twelve confirmations are one command, and a cancellation is not kept waiting', async () => {
  const { agent, db } = service
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const held = await agent.post('/api/holds', slot, { 'idempotency-key': randomUUID() })
  const { id } = held.body.booking
  const confirm = (key?: string) =>
    agent.post('/api/bookings', { hold_id: id, wait: 1 }, key ? { 'idempotency-key': key } : {})
  expect(await confirm()).toMatchObject({ status: 202, body: { status: 'pending' } })
  const key = randomUUID()
  const keyed = await Promise.all(Array.from({ length: 6 }, () => confirm(randomUUID())))
  const unkeyed = await Promise.all(Array.from({ length: 5 }, () => confirm()))
  expect([...keyed, ...unkeyed].map(({ status }) => status)).toEqual(Array(11).fill(202))
  expect((await confirm(key)).status).toBe(202)
  const cancelled = await agent.post(`/api/bookings/${id}/cancel`, { wait: 60 })
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  const { rows } = await db.query(
    `select kind, count(*)::int from command where booking_id = $1 group by kind order by kind`,
    [id],
  )
  expect(rows).toEqual([
    { kind: 'cancel', count: 1 },
    { kind: 'confirm', count: 1 },
  ])
  // The key refers to the command that it joined.
  const repeated = await confirm(key)
  expect(repeated).toMatchObject({
    status: 409,
    body: { code: 'booking_cancelled', replayed: true },
  })
})
