import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createEndpointNotifier } from '../../src/webhooks/endpoint-notifier.ts'

const start = { endpointId: 'one', accountId: 'account' }

test('an endpoint is notified at once, then less often while events keep coming', async () => {
  const told: number[] = []
  const signalEndpoint = async () => void told.push(performance.now())
  const wake = createEndpointNotifier({ signalEndpoint }, () => {})
  const began = performance.now()
  wake([start])
  expect(told).toHaveLength(1)
  while (performance.now() - began < 1_600) {
    wake([start])
    await setTimeout(10)
  }
  const last = performance.now()
  await expect.poll(() => told.at(-1), { timeout: 4_000 }).toBeGreaterThan(last)
  expect(told.length).toBeGreaterThan(3)
  expect(told.length).toBeLessThan(8)
})

test('a busy endpoint does not delay the notification of another', async () => {
  const told: string[] = []
  const signalEndpoint = async ({ endpointId }: typeof start) => void told.push(endpointId)
  const wake = createEndpointNotifier({ signalEndpoint }, () => {})
  for (let nth = 0; nth < 10; nth += 1) wake([start])
  wake([{ ...start, endpointId: 'other' }])
  expect(told).toEqual(['one', 'other'])
})
