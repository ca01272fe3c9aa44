import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMetrics } from '../../src/platform/telemetry/metrics.ts'
import { showDeliveries, type WebhookAttempt } from '../../src/webhooks/steps/webhook-metrics.ts'
import { selectEndpointViews } from '../../src/webhooks/store/endpoint-view.ts'
import { readLateDeliveries } from '../../src/webhooks/store/waiting-endpoints.ts'
import { type Batches, openBatches } from '../support/batches.ts'
import { type MadeEndpoint, putEvents } from '../support/endpoints.ts'
import { openReceiver, type Receiver } from '../support/receiver.ts'

let batches: Batches
let receiver: Receiver

beforeAll(async () => {
  batches = await openBatches()
  receiver = await openReceiver()
})
afterAll(async () => {
  await batches?.close()
  await receiver?.close()
})

/** An endpoint with three events that have been waiting three minutes to be sent. */
async function makeLate(set = 'failing_since = null'): Promise<MadeEndpoint> {
  const { db } = batches
  const endpoint = await batches.make({ url: receiver.url })
  await putEvents(db, endpoint.accountId, 3)
  await db.query(
    `update delivery set due_at = now() - interval '3 minutes' where endpoint_id = $1`,
    [endpoint.endpointId],
  )
  await db.query(`update endpoint set ${set} where id = $1`, [endpoint.endpointId])
  return endpoint
}

const waitOf = async ({ accountId, endpointId }: MadeEndpoint) => {
  const [view] = await selectEndpointViews(batches.db, accountId, new Date(), endpointId)
  return { until: view?.wait_until ?? null, reason: view?.wait_reason }
}

const late = () => readLateDeliveries(batches.db, new Date())

test('unsent deliveries are counted, and the owner sees that the network is behind', async () => {
  expect(await late()).toEqual({ deliveries: 0, oldest_ms: null })
  const endpoint = await makeLate()
  const { deliveries, oldest_ms } = await late()
  expect(deliveries).toBe(3)
  expect(oldest_ms).toBeGreaterThan(175_000)
  expect(oldest_ms).toBeLessThan(240_000)
  expect(await waitOf(endpoint)).toEqual({ until: null, reason: 'network' })
  const metrics = createMetrics()
  showDeliveries(metrics, batches.db)
  const text = await metrics.text()
  expect(text).toContain('webhook_due_deliveries 3')
  expect(text).toMatch(/webhook_oldest_due_seconds 1[78]\d/)
  expect(text).toContain('webhook_endpoints{state="active"} 1')

  const attempts: WebhookAttempt[] = []
  batches.deps.count = (attempt) => void attempts.push(attempt)
  await batches.send(endpoint)
  expect(attempts).toHaveLength(3)
  for (const { lagMs } of attempts) expect(lagMs).toBeGreaterThan(175_000)
  expect(await late()).toEqual({ deliveries: 0, oldest_ms: null })
  expect(await waitOf(endpoint)).toEqual({ until: null, reason: null })
})

test.each([
  ['a breaker', `wait_until = now() + interval '1 minute', wait_reason = 'breaker'`, 'breaker'],
  ['a rate of its own', 'rate_per_second = 1', null],
  ['its owner, who paused it', `status = 'paused', status_reason = 'owner'`, null],
])('what is held back by %s is not late', async (_, set, reason) => {
  const endpoint = await makeLate(set)
  expect(await late()).toEqual({ deliveries: 0, oldest_ms: null })
  expect((await waitOf(endpoint)).reason).toBe(reason)
})

test('a failing receiver does not count as our delay', async () => {
  const endpoint = await makeLate(`failing_since = now() - interval '1 hour'`)
  const attempts: WebhookAttempt[] = []
  batches.deps.count = (attempt) => void attempts.push(attempt)
  await batches.send(endpoint)
  expect(attempts.length).toBeGreaterThan(0)
  for (const { lagMs } of attempts) expect(lagMs).toBeUndefined()
})
