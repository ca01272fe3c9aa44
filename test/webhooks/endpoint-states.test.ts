import { describe, expect, test } from 'vitest'
import { transaction } from '../../src/platform/database/sql.ts'
import type { GivenCommand } from '../../src/webhooks/rules/endpoint-messages.ts'
import { runCommand } from '../../src/webhooks/steps/run-command.ts'
import { reopenEndpoint } from '../../src/webhooks/store/endpoint-states.ts'
import { webhookDoors } from '../support/endpoint-calls.ts'
import { openEndpointDoors } from '../support/endpoint-doors.ts'
import { readableLog } from '../support/lines.ts'
import { untilWaiting } from '../support/lock-waits.ts'

const here = openEndpointDoors()
const { signals, enqueueEvents } = here

/** As if the sender had decided to wait for an hour. */
const makeWait = (id: string, reason: string) =>
  here.doors.db.query(
    `update endpoint set wait_until = now() + interval '1 hour', wait_reason = $2 where id = $1`,
    [id, reason],
  )

/** Only now does the endpoint's workflow act on signals with this name. */
async function hearLate(name: GivenCommand['name']) {
  const { db, engine, sealer } = here.doors
  const late = engine.signals.filter(({ signal }) => signal.name === name)
  expect(late).not.toEqual([])
  for (const { start, signal } of late) {
    const { name: _, ...input } = signal
    const command = { name, id: String(Object(input).id), input }
    await runCommand({ db, sealer, log: readableLog().log }, start, command, new Date())
  }
}

describe.each(webhookDoors)('at %s', (door) => {
  const { call, make, makeActive } = here.at(door)

  test('a pause holds deliveries; resuming restarts their schedule or discards them', async () => {
    const id = await makeActive()
    await enqueueEvents(id, 3)
    const paused = await call('webhook.pause', { id })
    expect(paused.body.endpoint).toMatchObject({
      status: 'paused',
      status_reason: 'owner',
      deliveries: { pending: 0, held: 3 },
    })
    expect((await call('webhook.pause', { id })).body).toEqual(paused.body)
    expect((await call('webhook.test', { id })).code).toBe('endpoint_not_active')
    const resumed = await call('webhook.resume', { id })
    expect(resumed.body).toMatchObject({
      endpoint: { status: 'active', status_reason: null, deliveries: { pending: 3, held: 0 } },
      released: 3,
    })
    const { rows } = await here.doors.db.query(
      `select extract(epoch from max(give_up_at - due_at))::int / 3600 as hours,
         bool_and(due_at > now() - interval '50 s') as is_due_anew
       from delivery where endpoint_id = $1`,
      [id],
    )
    expect(rows).toEqual([{ hours: 90, is_due_anew: true }])
    await call('webhook.disable', { id })
    expect((await call('webhook.resume', { id })).code).toBe('endpoint_disabled')
    const enabled = await call('webhook.enable', { id, held: 'discard' })
    expect(enabled.body).toMatchObject({
      endpoint: { status: 'active', deliveries: { pending: 0, held: 0 } },
      discarded: 3,
    })
    expect((await call('webhook.enable', { id })).body).toEqual({
      endpoint: enabled.body.endpoint,
    })
    expect(signals()).toEqual(['deliver', 'deliver', 'pause', 'resume', 'disable', 'resume'])
  })

  test.each([
    ['breaker', null],
    ['fifo', null],
    ['retry_after', 'retry_after'],
  ])(
    'a wait because of %s ends with a pause or a disabling, unless it is Retry-After',
    async (reason, left) => {
      const id = await makeActive()
      for (const [hold, reopen] of [
        ['webhook.pause', 'webhook.resume'],
        ['webhook.disable', 'webhook.enable'],
      ] as const) {
        await makeWait(id, reason)
        await call(hold, { id })
        const { endpoint } = (await call(reopen, { id, held: 'release' })).body
        expect([endpoint.status, endpoint.wait_reason]).toEqual(['active', left])
      }
    },
  )

  test('an endpoint without first in, first out no longer waits for its first event', async () => {
    const id = await makeActive()
    await call('webhook.update', { id, fifo: true })
    await makeWait(id, 'fifo')
    const still = await call('webhook.update', { id, description: 'new' })
    expect(still.body.endpoint.wait_reason).toBe('fifo')
    const { endpoint } = (await call('webhook.update', { id, fifo: false })).body
    expect(endpoint).toMatchObject({ fifo: false, wait_until: null, wait_reason: null })
    await makeWait(id, 'retry_after')
    const asked = await call('webhook.update', { id, fifo: false })
    expect(asked.body.endpoint.wait_reason).toBe('retry_after')
  })

  test('of two concurrent resumes, the second discards nothing, now or later', async () => {
    const id = await makeActive()
    await enqueueEvents(id, 3)
    await call('webhook.pause', { id })
    let second: ReturnType<typeof call> | undefined
    await transaction(here.doors.db, async (tx) => {
      await reopenEndpoint(tx, id, { from: 'paused', at: new Date() })
      second = call('webhook.resume', { id, held: 'discard' })
      await untilWaiting(here.doors.db, 1)
    })
    expect((await second)?.body).toMatchObject({
      endpoint: { status: 'active', deliveries: { pending: 3 } },
      discarded: 0,
    })
    await call('webhook.pause', { id })
    await hearLate('resume')
    const [endpoint] = (await call('webhook.list')).body.endpoints
    expect(endpoint).toMatchObject({ status: 'paused', deliveries: { pending: 0, held: 3 } })
  })

  test('an endpoint disabled before verification must be verified when enabled', async () => {
    const { id } = (await make()).endpoint
    await call('webhook.disable', { id })
    expect((await call('webhook.verify', { id })).code).toBe('endpoint_disabled')
    const enabled = await call('webhook.enable', { id })
    expect(enabled.body).toMatchObject({
      endpoint: { status: 'unverified' },
      next: expect.stringContaining('verify'),
    })
    expect((await call('webhook.pause', { id })).code).toBe('endpoint_not_active')
  })
})
