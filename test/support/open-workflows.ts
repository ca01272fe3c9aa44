import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { bookingWorkflowId, waitlistWorkflowId } from '../../src/base/ids.ts'
import { BOOKINGS_QUEUE } from '../../src/base/task-queues.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { endpointWorkflowId } from '../../src/webhooks/rules/endpoint-messages.ts'
import type * as workflows from '../../workflows/index.ts'
import { findSlot, openAgent } from './agent.ts'
import { openTestClock, slotAfter } from './clocks.ts'
import { putEvents } from './endpoints.ts'
import { fillSlot } from './full-slot.ts'
import { detailsOf } from './histories.ts'
import type { Service } from './network.ts'
import { eventually } from './programs.ts'
import { openReceiver } from './receiver.ts'
import { openSender } from './sender.ts'
import { addPerson, postTo } from './venue-channels.ts'

/** A run that stays open until the test has finished with it. */
type OpenWorkflow = {
  workflowId: string
  /** which messages of `wrongInputs` its updates rightly accept: `NAME ["INPUT"]` */
  accepts?: RegExp
  /** ends the run as its caller would, which proves that it works */
  finish(): Promise<void>
}
type Opener = (service: Service, type: string) => Promise<OpenWorkflow>

export async function book({ agent }: Service): Promise<string> {
  const slot = await findSlot(agent, 'restaurant')
  const booked = await agent.post('/api/bookings', slot, { 'idempotency-key': randomUUID() })
  expect(booked.body.status).toBe('confirmed')
  return booked.body.booking.id
}

/** Handles no messages, and may end at any time. */
const scheduled: Opener = async ({ client }, type) => {
  const workflowId = `${type}-${randomUUID()}`
  await client.workflow.start(type, { workflowId, taskQueue: BOOKINGS_QUEUE })
  return { workflowId, finish: async () => {} }
}

/** Waits for a venue that never answers. */
const group =
  (path: string, end: string, body: (first: object, second: object) => object): Opener =>
  async (service) => {
    const { agent } = await openTestClock(service)
    const slots = ['sandbox-silent', 'sandbox-instant'].map((venue) =>
      slotAfter(venue, 5, Date.now()),
    )
    const asked = await agent.post(path, { ...body(slots[0] ?? {}, slots[1] ?? {}), wait: 1 })
    expect(asked.body.status).toBe('pending')
    const { itinerary, booking } = asked.body
    const id = itinerary?.id ?? booking.group_id
    const workflowId = `${itinerary ? 'itinerary' : 'any-of'}/${id}`
    return {
      workflowId,
      accepts: /^settled \[\]/,
      async finish() {
        const cancel = itinerary ? `/api/itineraries/${id}` : `/api/bookings/${booking.id}`
        await agent.post(`${cancel}/cancel`, { wait: 30 })
        expect(await service.client.workflow.getHandle(workflowId).result()).toBe(end)
      },
    }
  }

/** A clock that moves to a due item, whose row another transaction has locked. */
const testClock: Opener = async (service) => {
  const clock = await openTestClock(service)
  const slot = { ...slotAfter('sandbox-instant', 3, Date.now()), reminders: [60] }
  const { body } = await clock.agent.post('/api/bookings', slot)
  const locking = await service.db.connect()
  await locking.query('begin')
  await locking.query('select from booking where id = $1 for update', [body.booking.id])
  expect(await clock.advance({ by: 'P1W' }, 0)).toMatchObject({ status: 'pending' })
  return {
    workflowId: `test-clock/${clock.id}`,
    accepts: /^advance \[\]/,
    async finish() {
      await locking.query('rollback')
      locking.release()
      await eventually('the clock to arrive', async () => {
        const { body } = await service.agent.get(`/api/test_clocks/${clock.id}`)
        return body.test_clock.status === 'ready'
      })
    },
  }
}

/** Opens a run of each workflow type that workers know. */
export const openers: Record<keyof typeof workflows, Opener> = {
  collect: scheduled,
  mirror: scheduled,
  paymentUpkeep: scheduled,
  retention: scheduled,
  sweep: scheduled,
  waitlistScan: scheduled,
  webhookUpkeep: scheduled,
  testClock,
  anyOf: group('/api/bookings', 'failed', (one, other) => ({ ...one, alternatives: [other] })),
  itinerary: group('/api/itineraries', 'cancelled', (one, other) => ({ parts: [one, other] })),
  async booking(service) {
    const id = await book(service)
    return {
      workflowId: bookingWorkflowId(id),
      // The accepted input is a number of milliseconds.
      accepts: /^confirm \["1"\]/,
      async finish() {
        const cancelled = await service.agent.post(`/api/bookings/${id}/cancel`, {})
        expect(cancelled.body.status).toBe('cancelled')
      },
    }
  },
  async waitlistEntry({ db, url, client }) {
    const agent = await openAgent(db, url)
    const { slot } = await fillSlot(db, { category: 'restaurant', partySize: 2 })
    const wish = { venue_id: slot.venueId, slot_time: slot.slotTime, party_size: 2 }
    const { watch } = (await agent.post('/api/watches', wish)).body
    const workflowId = waitlistWorkflowId(watch.id)
    return {
      workflowId,
      async finish() {
        expect((await agent.post(`/api/watches/${watch.id}/cancel`, {})).status).toBe(200)
        expect(await client.workflow.getHandle(workflowId).result()).toBe('cancelled')
      },
    }
  },
  async notice({ db, config, client }) {
    const { rows } = await db.query('select id from venue where not is_test limit 1')
    const sealer = createSealer(secretsKeys(config))
    const channel = postTo('https://127.0.0.1:9/', 'whsec_')
    const { personId } = await addPerson(db, sealer, rows[0].id, channel)
    const noticeId = randomUUID()
    await db.query(
      `insert into notice (id, person_id, kind, day, created_at, not_before, next_at)
       values ($1, $2, 'day.list', current_date, now(), now() + interval '1 h', now())`,
      [noticeId, personId],
    )
    const workflowId = `notice/${noticeId}`
    const start = { noticeId, kind: 'day.list', venueSlug: 'one', bookingId: null }
    const options = { workflowId, taskQueue: BOOKINGS_QUEUE, args: [start] }
    const handle = await client.workflow.start('notice', options)
    return {
      workflowId,
      async finish() {
        const text = `update notice set ended_at = now(), ended_reason = 'told', next_at = null
          where id = $1 and ended_at is null`
        await db.query(text, [noticeId])
        await handle.signal('status').catch(() => {})
        expect(['told', 'stopped']).toContain(await handle.result())
      },
    }
  },
  async webhookDelivery({ db, client, config }) {
    const sender = openSender({ db, client, config } as Service)
    const receiver = await openReceiver()
    const endpoint = await sender.make({ url: receiver.url })
    await putEvents(db, endpoint.accountId, 1)
    await sender.until(endpoint, { delivered: 1 })
    const workflowId = endpointWorkflowId(endpoint.endpointId)
    return {
      workflowId,
      // Without an input, or with an input that is equivalent to none, it sends the challenge.
      accepts: /^verify (\[\]|\["null"\]|.*binary\/null)/,
      async finish() {
        await eventually('the last signal', async () =>
          (await detailsOf(client, workflowId)).includes('ignored'),
        )
        await putEvents(db, endpoint.accountId, 2)
        await sender.until(endpoint, { delivered: 3 })
        const { rows } = await db.query('select status from endpoint where id = $1', [
          endpoint.endpointId,
        ])
        expect(rows[0].status).toBe('active')
        await receiver.close()
      },
    }
  },
}
