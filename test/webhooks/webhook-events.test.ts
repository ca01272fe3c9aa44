import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { eventTypes } from '../../src/webhooks/rules/event-types.ts'
import { eventBody, eventData } from '../../src/webhooks/schema/event-bodies.ts'

const page = readFileSync(
  resolve(import.meta.dirname, '../../docs/protocols/webhook-events.md'),
  'utf8',
)
const examples = new Map(
  [...page.matchAll(/^## (\S+)\n```json\n(.*?)\n```$/gms)].map(([, type = '', text = '']) => [
    type,
    JSON.parse(text),
  ]),
)

test('the events page has each type once, in the table and with an example', () => {
  const listed = [...page.matchAll(/^\| \[`(\S+)`\]\(#(\S+)\)/gm)]
  expect(listed.map(([, type]) => type)).toEqual(eventTypes)
  expect(listed.map(([, , anchor]) => anchor)).toEqual(
    eventTypes.map((type) => type.replace('.', '')),
  )
  expect([...examples.keys()]).toEqual(eventTypes)
})

test.each(eventTypes)('the example of %s is a complete body of that type', (type) => {
  const example = eventBody.parse(examples.get(type))
  expect(example.type).toBe(type)
  const { data } = example
  expect(eventData[type].parse(data)).toEqual(data)
  const booking = data.booking as { status: string } | undefined
  const status = type.replace('booking.', '')
  if (booking && !['amended', 'reminder'].includes(status)) expect(booking.status).toBe(status)
})
