import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestClock, slotAfter } from '../support/clocks.ts'
import { openService, type Service } from '../support/network.ts'

let service: Service

beforeAll(async () => {
  service = await openService()
})
afterAll(() => service?.close())

test('each month that a clock passes is closed into an invoice', async () => {
  const clock = await openTestClock(service)
  const slot = slotAfter('sandbox-instant', 3, Date.now())
  const { body } = await clock.agent.post('/api/bookings', { ...slot, wait: 50 })
  expect(body.status).toBe('confirmed')
  await clock.advance({ by: 'P40D' })
  const { body: found } = await clock.agent.get('/api/invoices')
  expect(found.invoices).toHaveLength(1)
  expect(found.invoices[0].month).toBe(new Date().toISOString().slice(0, 7))
})
