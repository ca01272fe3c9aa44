import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Batches, openBatches } from '../support/batches.ts'
import { deliveriesOf, putEvents } from '../support/endpoints.ts'
import { eventually } from '../support/programs.ts'
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

test('requests that hang keep nothing else from being sent, for longer than a batch takes', async () => {
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
  'what is past its time fails and stands in the way of nothing (first in, first out: %s)',
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
