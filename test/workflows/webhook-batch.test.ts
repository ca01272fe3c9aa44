import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Batches, openBatches } from '../support/batches.ts'
import { putEvents } from '../support/endpoints.ts'
import { openReceiver } from '../support/receiver.ts'

let batches: Batches

beforeAll(async () => {
  batches = await openBatches()
})
afterAll(() => batches?.close())

test('a rate is reached by an endpoint that takes its time', async () => {
  const receiver = await openReceiver((response) => {
    setTimeout(() => response.writeHead(204).end(), 1_000)
  })
  const endpoint = await batches.make({ url: receiver.url, ratePerSecond: 10 })
  await putEvents(batches.db, endpoint.accountId, 20)
  await batches.send(endpoint, { places: 20 })
  const times = receiver.received.map(({ at }) => at)
  expect(times).toHaveLength(20)
  const spanMs = Math.max(...times) - Math.min(...times)
  expect(spanMs).toBeGreaterThan(1_800)
  expect(spanMs).toBeLessThan(4_000)
  await receiver.close()
})
