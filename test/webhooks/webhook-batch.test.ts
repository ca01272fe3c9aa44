import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { transaction } from '../../src/platform/database/sql.ts'
import { openBreaker } from '../../src/webhooks/rules/breaker.ts'
import { claimDue } from '../../src/webhooks/store/claims.ts'
import { deleteSigningKeys } from '../../src/webhooks/store/signing-keys.ts'
import { type Batches, openBatches } from '../support/batches.ts'
import {
  attemptsOf,
  deliveriesOf,
  makeSigningKey,
  putEvent,
  putEvents,
} from '../support/endpoints.ts'
import { eventually } from '../support/programs.ts'
import { answers, openReceiver } from '../support/receiver.ts'
import { makeReplay } from '../support/replays.ts'

let batches: Batches

beforeAll(async () => {
  batches = await openBatches()
})
afterAll(() => batches?.close())

test('a slow endpoint still reaches the requested rate', async () => {
  const waiting: (() => void)[] = []
  // The receiver answers no request before all have arrived.
  const receiver = await openReceiver((response) => {
    waiting.push(() => response.writeHead(204).end())
    if (waiting.length === 20) for (const answer of waiting) answer()
  })
  const endpoint = await batches.make({ url: receiver.url, ratePerSecond: 10 })
  await putEvents(batches.db, endpoint.accountId, 20)
  await batches.send(endpoint, { concurrency: 20 })
  expect(await deliveriesOf(batches.db, endpoint)).toEqual({ delivered: 20 })
  const attempts = await attemptsOf(batches.db, endpoint)
  const spanMs = attempts.at(-1)?.started_at - attempts[0]?.started_at
  expect(spanMs).toBeGreaterThan(1_800)
  expect(spanMs).toBeLessThan(10_000)
  await receiver.close()
})

test('a full batch reports when the next replay page is due, and not before', async () => {
  const receiver = await openReceiver()
  const { db } = batches
  const endpoint = await batches.make({ url: receiver.url })
  await putEvents(db, endpoint.accountId, 600)
  while ((await batches.send(endpoint)).nextAt !== null);
  // A page holds one second's worth of events, which is also where a batch ends.
  await makeReplay(db, endpoint, { last: 600, perSecond: 200 })
  // The clock stands still, so that no machine is too slow for the first page.
  const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const report = await batches.send(endpoint).finally(() => clock.mockRestore())
  expect(report).toMatchObject({ reason: 'replay', nextAt: expect.any(Number) })
  expect(Date.now()).toBeGreaterThanOrEqual(report.nextAt ?? Number.POSITIVE_INFINITY)
  await receiver.close()
})

test('hanging requests do not block others, even beyond the duration of a batch', async () => {
  const hanging = new Set<() => void>()
  const receiver = await openReceiver((response, _, nth) => {
    if (nth === 1 || nth === 50) hanging.add(() => response.writeHead(204).end())
    else response.writeHead(204).end()
  })
  const endpoint = await batches.make({ url: receiver.url })
  await putEvents(batches.db, endpoint.accountId, 200)
  const batch = batches.send(endpoint)
  await eventually('all but two', async () => {
    return (await deliveriesOf(batches.db, endpoint)).delivered === 198
  })
  expect(hanging.size).toBe(2)
  for (const answer of hanging) answer()
  await batch
  expect(await deliveriesOf(batches.db, endpoint)).toEqual({ delivered: 200 })
  await receiver.close()
})

test.each([true, false])(
  'expired deliveries fail and block nothing (first in, first out: %s)',
  async (isFifo) => {
    const receiver = await openReceiver()
    const endpoint = await batches.make({ url: receiver.url, isFifo })
    const past = new Date(Date.now() - 91 * 3_600_000)
    await putEvents(batches.db, endpoint.accountId, 100, past)
    await putEvents(batches.db, endpoint.accountId, 10)
    const report = await batches.send(endpoint)
    expect(await deliveriesOf(batches.db, endpoint)).toEqual({ failed: 100, delivered: 10 })
    expect(report).toMatchObject({ nextAt: null })
    await receiver.close()
  },
)

test('first in, first out: a replayed event awaiting a retry blocks no new one', async () => {
  const receiver = await openReceiver(answers(400))
  const { db } = batches
  const endpoint = await batches.make({ url: receiver.url, isFifo: true })
  await putEvent(db, endpoint.accountId)
  await db.query(`update delivery set status = 'failed', due_at = null where endpoint_id = $1`, [
    endpoint.endpointId,
  ])
  await makeReplay(db, endpoint, { last: 1 })
  await batches.send(endpoint)
  expect(receiver.received).toHaveLength(1)
  await db.query(
    `update delivery set due_at = now() + interval '1 hour'
     where endpoint_id = $1 and status = 'pending'`,
    [endpoint.endpointId],
  )
  receiver.answer = answers(204)
  await putEvent(db, endpoint.accountId)
  await batches.send(endpoint)
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1, pending: 1 })
  await receiver.close()
})

test('first in, first out: a replayed event that fails as a probe blocks no new one', async () => {
  const receiver = await openReceiver(answers(400))
  const { db } = batches
  const endpoint = await batches.make({ url: receiver.url, isFifo: true })
  await putEvent(db, endpoint.accountId)
  await db.query(`update delivery set status = 'failed', due_at = null where endpoint_id = $1`, [
    endpoint.endpointId,
  ])
  await makeReplay(db, endpoint, { last: 1 })
  await batches.send(endpoint)
  // The delivery's next attempt would come in a day.
  await db.query('update delivery set tries = 8, due_at = now() where endpoint_id = $1', [
    endpoint.endpointId,
  ])
  const { breaker } = await batches.send(endpoint, { breaker: openBreaker })
  expect(await attemptsOf(db, endpoint)).toMatchObject([{ cause: 'replay' }, { cause: 'probe' }])
  receiver.answer = answers(204)
  await putEvent(db, endpoint.accountId)
  await batches.send(endpoint, { breaker }, Date.now() + HOUR_MS)
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1, pending: 1 })
  await receiver.close()
})

test('a failing batch records its requests in flight', async () => {
  const waiting: (() => void)[] = []
  const receiver = await openReceiver((response) => {
    waiting.push(() => response.writeHead(204).end())
  })
  const { db, deps } = batches
  const endpoint = await batches.make({ url: receiver.url })
  await putEvent(db, endpoint.accountId)
  const batch = batches.send(endpoint)
  const failed = expect(batch).rejects.toThrow()
  await eventually('the first request', async () => receiver.received.length === 1)
  const { keyId } = await transaction(db, async (tx) => {
    await deleteSigningKeys(tx, endpoint.endpointId)
    return makeSigningKey(tx, deps.sealer, endpoint.endpointId, new Date())
  })
  await db.query(`update signing_key set secret = 'not to be opened' where id = $1`, [keyId])
  await putEvent(db, endpoint.accountId)
  await eventually('the second to be tried', async () => {
    const { rows } = await db.query('select id from attempt where endpoint_id = $1', [
      endpoint.endpointId,
    ])
    return rows.length === 2
  })
  waiting[0]?.()
  await failed
  expect(await deliveriesOf(db, endpoint)).toEqual({ delivered: 1, pending: 1 })
  await receiver.close()
})

test('first in, first out: nothing is claimed while a request is in flight', async () => {
  const { db } = batches
  const { endpointId, accountId } = await batches.make({ url: 'http://127.0.0.1:9/', isFifo: true })
  await putEvents(db, accountId, 2)
  const take = async () => {
    const time = { at: new Date(), present: new Date(), wall: new Date() }
    const how = { limit: 1, isFifo: true, isProbe: false }
    return (await claimDue(db, endpointId, time, how)).claims.length
  }
  expect([await take(), await take()]).toEqual([1, 0])
})
