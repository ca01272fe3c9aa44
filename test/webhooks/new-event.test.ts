import { expect, test } from 'vitest'
import { eventData, type NewEvent } from '../../src/webhooks/schema/event-bodies.ts'

const endpoint = { endpoint_id: '0195c7a0-0000-7000-8000-000000000000', url: 'https://a.example' }

test('an event whose body differs from its type’s promise does not compile', () => {
  const gone: NewEvent = { type: 'endpoint.disabled', data: { ...endpoint, reason: 'gone' } }
  const wrong: NewEvent[] = [
    // @ts-expect-error no such type
    { type: 'endpoint.renamed', data: endpoint },
    // @ts-expect-error a field is missing
    { type: 'endpoint.disabled', data: endpoint },
    // @ts-expect-error a field has another value
    { type: 'endpoint.disabled', data: { ...endpoint, reason: 'bored' } },
    // @ts-expect-error the body of another type
    { type: 'booking.held', data: gone.data },
  ]
  expect(eventData[gone.type].safeParse(gone.data).success).toBe(true)
  for (const { type, data } of wrong) {
    expect(eventData[type]?.safeParse(data).success ?? false).toBe(false)
  }
})
