import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { openTestClock, slotAfter, subscribe } from '../support/clocks.ts'
import type { Service } from '../support/network.ts'
import { test } from '../support/service.ts'

const DAY_MS = 86_400_000

let service: Service

test.beforeAll(async ({ service: shared }) => {
  service = shared
})

test('three weeks of a booking pass in order, with its webhooks signed in real time', async () => {
  const clock = await openTestClock(service)
  const { receiver, secret } = await subscribe(clock.agent)
  const begun = await clock.now()
  const slot = slotAfter('sandbox-instant', 18, begun)
  const booked = await clock.agent.post('/api/bookings', { ...slot, reminders: [1440, 60] })
  expect(booked.body).toMatchObject({ status: 'confirmed' })
  const { booking } = booked.body

  const { status, test_clock } = await clock.advance({ by: 'P3W' })
  expect(status).toBe('ready')
  expect(Date.parse(test_clock.now) - begun).toBeGreaterThanOrEqual(21 * DAY_MS)

  const { body } = await clock.agent.get(`/api/bookings/${booking.id}`)
  expect(body.booking.status).toBe('completed')
  const { body: ledger } = await clock.agent.get('/api/events')
  const types = ledger.events.map(({ type }: any) => type)
  expect(types.filter((type: string) => type.startsWith('booking.'))).toEqual([
    'booking.held',
    'booking.confirmed',
    'booking.reminder',
    'booking.reminder',
    'booking.completed',
  ])

  // Deliveries made at the same moment may overtake each other.
  const events = receiver.received
    .filter(({ body }) => body.type.startsWith('booking.'))
    .toSorted((a, b) => a.body.sequence - b.body.sequence)
  expect(events.map(({ body }) => body.type)).toEqual(
    types.filter((type: string) => type.startsWith('booking.')),
  )
  const startsAt = Date.parse(booking.starts_at)
  const times = events.map(({ body }) => Date.parse(body.timestamp))
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times[3]).toBeGreaterThan(startsAt - 70 * 60_000)
  expect(times[4]).toBeGreaterThan(startsAt)
  for (const { headers, raw } of events) {
    // The library rejects timestamps that are more than five minutes off.
    expect(() => new Webhook(secret).verify(raw, headers as Record<string, string>)).not.toThrow()
  }
  await receiver.close()
})
