import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bookingWorkflowId } from '../../src/base/ids.ts'
import { findSlot } from '../support/agent.ts'
import { detailsOf } from '../support/histories.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { recordHistory } from '../support/record-histories.ts'
import { test } from '../support/service.ts'
import { openTemporalCommand } from '../support/temporal-command.ts'

async function book({ agent }: Service) {
  const slot = await findSlot(agent, 'restaurant')
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(booked.body.status).toBe('confirmed')
  return { id: booked.body.booking.id as string, slot }
}

const act = (id: string) => JSON.stringify({ id, by: 'Ayu', reason: 'the kitchen burns' })

const auditOf = async ({ db }: Service, id: string) => {
  const { rows } = await db.query(
    `select action, door, actor_kind, details from audit_entry where object_id = $1
     order by at, id`,
    [id],
  )
  return rows
}

test('an operator cancels by an update of the workflow, once for its id, and nobody pays', async ({
  service,
}) => {
  const { agent, db, client } = service
  const { id, slot } = await book(service)
  // It is too late for the agent to cancel for free.
  await db.query(`update booking set cancel_until = now() - interval '1 hour' where id = $1`, [id])
  const { update } = await openTemporalCommand(service)
  const workflowId = bookingWorkflowId(id)
  expect(await update(workflowId, 'wake', act('INC-7'))).toContain('Done')
  // The second may come when the workflow has ended, which the server says itself.
  const cancel = () => update(workflowId, 'cancel', act('INC-7')).catch(String)
  const answers = (await Promise.all([cancel(), cancel()])).join()
  expect(answers).toContain('Done: the booking is cancelled')
  expect(answers.match(/the booking is cancelled|already completed/g)).toHaveLength(2)
  const { body } = await agent.get(`/api/bookings/${id}`)
  expect(body.booking).toMatchObject({
    status: 'cancelled',
    cancelled_by: 'operator',
    fee: { status: 'reversed' },
  })
  const recorded = {
    door: 'temporal',
    actor_kind: 'operator',
    details: { act: 'INC-7', by: 'Ayu', reason: 'the kitchen burns' },
  }
  expect(await auditOf(service, id)).toEqual([
    { action: 'booking.woken', ...recorded },
    { action: 'booking.cancelled', ...recorded },
  ])
  const { entries } = (await agent.get(`/api/bookings/${id}/timeline`)).body
  expect(entries.at(-1)).toMatchObject({
    by: 'operator',
    why: 'An operator of the network cancelled it: the kitchen burns',
  })
  const { rows } = await db.query(
    `select data #>> '{booking,cancelled_by}' as by from event
     where booking_id = $1 and type = 'booking.cancelled'`,
    [id],
  )
  expect(rows).toEqual([{ by: 'operator' }])
  // What the account can read about the cancellation does not name the operator.
  const { body: audit } = await agent.get(`/api/account/audit?object=${id}`)
  expect(JSON.stringify(audit)).not.toContain('Ayu')
  expect((await agent.post('/api/bookings', slot, { 'idempotency-key': 'again' })).status).toBe(201)
  await recordHistory(client.workflow.getHandle(workflowId), 'booking.cancelled.by-operator')
})

test(`a booking lives on when the cancellation of its workflow is requested,
      and says how to cancel it`, async ({ service }) => {
  const { agent, client } = service
  const { id } = await book(service)
  const workflowId = bookingWorkflowId(id)
  const handle = client.workflow.getHandle(workflowId)
  await handle.cancel()
  await eventually('the details', async () =>
    /Request Cancellation ended nothing.*update `cancel` cancels it.*"by"/.test(
      await detailsOf(client, workflowId),
    ),
  )
  expect((await handle.describe()).status.name).toBe('RUNNING')
  // The details still show the outcome one step later.
  const amended = await agent.patch(`/api/bookings/${id}`, { party_size: 1 })
  expect(amended.body.status).toBe('amended')
  expect(await detailsOf(client, workflowId)).toContain('Request Cancellation ended nothing')
  expect((await agent.post(`/api/bookings/${id}/cancel`, {})).body.status).toBe('cancelled')
  expect(await handle.result()).toBe('cancelled')
  expect(await detailsOf(client, workflowId)).not.toContain('Request Cancellation')
  await recordHistory(handle, 'booking.cancelled.cancellation-requested')
})

test('an operator wakes a booking, and retries a command that was given up', async ({
  service,
}) => {
  const { db, agent } = service
  const { id } = await book(service)
  const { update } = await openTemporalCommand(service)
  const workflowId = bookingWorkflowId(id)
  expect(await update(workflowId, 'wake', act('INC-1'))).toContain('the booking is confirmed')
  await db.query(
    `insert into command (id, booking_id, kind, input, door, created_at, failures, answer)
     values (uuidv7(), $1, 'cancel', '{"by": "guest"}', 'rest', now(), 10,
       '{"refusal": {"code": "internal_error", "message": "x", "facts": {}}}')`,
    [id],
  )
  expect(await update(workflowId, 'retry', act('INC-2'))).toContain('the booking is cancelled')
  const { body } = await agent.get(`/api/bookings/${id}`)
  expect(body.booking.cancelled_by).toBe('guest')
  expect((await auditOf(service, id)).map(({ action }) => action)).toEqual([
    'booking.woken',
    'booking.retried',
  ])
})
