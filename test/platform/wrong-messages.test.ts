import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bookingWorkflowId } from '../../src/contract/rules/ids.ts'
import { findSlot, openAgent } from '../support/agent.ts'
import { putEvents } from '../support/endpoints.ts'
import { fillSlot } from '../support/full-slot.ts'
import { detailsOf } from '../support/histories.ts'
import type { Service } from '../support/network.ts'
import { eventually } from '../support/programs.ts'
import { openReceiver } from '../support/receiver.ts'
import { openSender } from '../support/sender.ts'
import { test } from '../support/service.ts'
import { openTemporalCommand } from '../support/temporal-command.ts'
import { wrongInputs } from '../support/wrong-messages.ts'

const CONCURRENCY = 6
const SLOW_MS = 600_000

type Handlers = { signals: readonly string[]; updates: readonly string[] }

/** Sends every wrong input to each handler; answers what updates answered, by handler. */
async function sendWrong(
  service: Service,
  workflowId: string,
  { signals, updates }: Handlers,
  foreign: string = randomUUID(),
) {
  const command = await openTemporalCommand(service)
  const accepted: string[] = []
  const work = [...signals, ...updates].flatMap((name) =>
    wrongInputs(foreign).map((inputs) => async () => {
      if (signals.includes(name)) return command.signal(workflowId, name, ...inputs)
      const answer = await command.update(workflowId, name, ...inputs).catch(() => undefined)
      if (answer !== undefined) accepted.push(`${name} ${JSON.stringify(inputs).slice(0, 80)}`)
    }),
  )
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (let next = work.pop(); next; next = work.pop()) await next()
    }),
  )
  return accepted
}

/** Whether the run goes on, and no task of it has ever failed. */
async function expectHealthy({ client }: Service, workflowId: string) {
  const handle = client.workflow.getHandle(workflowId)
  const { status, raw } = await handle.describe()
  expect(status.name).toBe('RUNNING')
  expect(raw.pendingWorkflowTask?.attempt ?? 1).toBe(1)
  expect(raw.pendingActivities?.filter(({ attempt }) => Number(attempt) > 1) ?? []).toEqual([])
  const { events } = await handle.fetchHistory()
  expect(events?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([])
}

async function book({ agent }: Service, body: object = {}) {
  const slot = await findSlot(agent, 'restaurant')
  const booked = await agent.post(
    '/api/bookings',
    { ...slot, ...body },
    { 'idempotency-key': randomUUID() },
  )
  expect(booked.body.status).toBe('confirmed')
  return booked.body.booking.id as string
}

const bookingHandlers = {
  signals: ['venueResponded', 'commandsSubmitted', 'clockAdvanced'],
  updates: ['confirm', 'command', 'cancel', 'retry', 'wake'],
}

test(
  'a booking refuses wrong messages, and is then cancelled as ever',
  async ({ service }) => {
    const id = await book(service)
    const workflowId = bookingWorkflowId(id)
    const accepted = await sendWrong(service, workflowId, bookingHandlers)
    // A number of milliseconds is what `confirm` takes.
    expect(accepted.filter((one) => !one.startsWith('confirm ["1"]'))).toEqual([])
    await expectHealthy(service, workflowId)
    const cancelled = await service.agent.post(`/api/bookings/${id}/cancel`, {})
    expect(cancelled.body.status).toBe('cancelled')
  },
  SLOW_MS,
)

test(
  'a command of another booking, or of none, is not answered, and waits for no longer than it says',
  async ({ service }) => {
    const { agent, db } = service
    const [id, other] = [await book(service), await book(service)]
    await agent.post(`/api/bookings/${other}/cancel`, {})
    const { rows } = await db.query('select id from command where booking_id = $1', [other])
    const { update } = await openTemporalCommand(service)
    for (const commandId of [rows[0].id, randomUUID()]) {
      const command = JSON.stringify({ id: commandId, kind: 'cancel', input: {} })
      expect(await update(bookingWorkflowId(id), 'command', command, '100')).toContain('pending')
    }
    await expectHealthy(service, bookingWorkflowId(id))
    expect((await agent.get(`/api/bookings/${id}`)).body.booking.status).toBe('confirmed')
  },
  SLOW_MS,
)

test(
  'an endpoint refuses wrong messages, and then delivers as ever',
  async ({ service }) => {
    const sender = openSender(service)
    const receiver = await openReceiver()
    const endpoint = await sender.make({ url: receiver.url })
    await putEvents(service.db, endpoint.accountId, 1)
    await sender.until(endpoint, { delivered: 1 })
    const workflowId = `webhook/${endpoint.endpointId}`
    const accepted = await sendWrong(service, workflowId, {
      signals: ['deliver', 'pause', 'resume', 'disable', 'replay', 'rotateSecret', 'clockAdvanced'],
      updates: ['retry', 'verify'],
    })
    // Without an input, or with none in other words, it sends the challenge.
    const none = /^verify (\[\]|\["null"\]|.*binary\/null)/
    expect(accepted.filter((one) => !none.test(one))).toEqual([])
    await eventually('the last signal', async () =>
      (await detailsOf(service.client, workflowId)).includes('ignored'),
    )
    await putEvents(service.db, endpoint.accountId, 2)
    await sender.until(endpoint, { delivered: 3 })
    await expectHealthy(service, workflowId)
    const { rows } = await service.db.query('select status from endpoint where id = $1', [
      endpoint.endpointId,
    ])
    expect(rows[0].status).toBe('active')
    await receiver.close()
  },
  SLOW_MS,
)

test(
  'a waitlist entry ignores what its signals carry, and ends when its agent cancels it',
  async ({ service }) => {
    const agent = await openAgent(service.db, service.url)
    const wanted = { category: 'restaurant', partySize: 2, atLeast: 1 } as const
    const { slot } = await fillSlot(service.db, wanted)
    const wish = { venue_id: slot.venueId, slot_time: slot.slotTime, party_size: 2 }
    const { watch } = (await agent.post('/api/watches', wish)).body
    const workflowId = `waitlist/${watch.id}`
    await sendWrong(service, workflowId, {
      signals: ['entryChanged', 'clockAdvanced'],
      updates: [],
    })
    await expectHealthy(service, workflowId)
    expect((await agent.post(`/api/watches/${watch.id}/cancel`, {})).status).toBe(200)
    const run = service.client.workflow.getHandle(workflowId)
    expect(await run.result()).toBe('cancelled')
  },
  SLOW_MS,
)
