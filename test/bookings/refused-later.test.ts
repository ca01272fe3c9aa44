import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { findSlot } from '../support/agent.ts'
import { eventually } from '../support/programs.ts'
import { test } from '../support/service.ts'

test('a booking that was pending and then refused names alternatives when read', async ({
  service: { agent },
}) => {
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const closed = { ...slot, slot_time: `${slot.slot_time.slice(0, 10)}T04:00:00`, wait: 0 }
  const key = { 'idempotency-key': randomUUID() }
  const first = await agent.post('/api/bookings', closed, key)
  const id = first.body.booking_id ?? first.body.booking.id
  const read = await eventually('the refusal', async () => {
    const { body } = await agent.get(`/api/bookings/${id}`)
    return body.booking.status === 'failed' && body
  })
  const refused = await agent.post('/api/bookings', { ...closed, wait: 10 }, key)
  expect(refused).toMatchObject({ status: 422, body: { code: 'venue_closed' } })
  expect(read.booking.reason_code).toBe('venue_closed')
  expect(read.alternatives).toEqual(refused.body.alternatives)
  expect(read.alternatives.length).toBeGreaterThan(0)
})

test('a booking that stands names no alternatives', async ({ service: { agent } }) => {
  const slot = await findSlot(agent, 'restaurant in Ubud')
  const key = { 'idempotency-key': randomUUID() }
  const { body } = await agent.post('/api/bookings', slot, key)
  expect((await agent.get(`/api/bookings/${body.booking.id}`)).body).not.toHaveProperty(
    'alternatives',
  )
})
