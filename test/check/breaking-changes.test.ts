import { expect, test } from 'vitest'
import { breakingChanges } from '../../tools/check/breaking-changes.ts'
import { doorDocuments } from '../../tools/check/documents.ts'
import {
  intentSurfaces,
  restSurfaces,
  type Schema,
  type Surface,
} from '../../tools/check/surfaces.ts'

const one = (side: Surface['side'], schema: Schema) => ({
  named: new Map([['POST /x', { side, schema }]]),
  resolve: (ref: Schema) => ref,
})
const object = (properties: Record<string, Schema>, required: string[] = []) => ({
  type: 'object',
  properties,
  required,
})
const text = { type: 'string' }
const maybe = { anyOf: [text, { type: 'null' }] }

test.each<[Surface['side'], Schema, Schema, string]>([
  ['input', object({ a: text }), object({}), 'a was removed'],
  ['input', object({ a: text }), object({ a: text }, ['a']), 'a is now required'],
  ['input', object({ a: maybe }), object({ a: text }), 'a no longer accepts null'],
  [
    'input',
    object({ a: { enum: ['x', 'y'] } }),
    object({ a: { enum: ['x'] } }),
    'a no longer has "y"',
  ],
  ['input', object({ a: text }), object({ a: { enum: ['x'] } }), 'a now accepts only x'],
  ['input', object({ a: text }), object({ a: { ...text, maxLength: 5 } }), 'a now has maxLength 5'],
  ['input', { minimum: 1 }, { minimum: 2 }, 'now has minimum 2'],
  ['input', text, { ...text, format: 'uuid' }, 'now has format uuid'],
  ['input', { items: object({ a: text }) }, { items: object({}) }, '[].a was removed'],
  ['output', object({ a: text }), object({}), 'a was removed'],
  ['output', object({ a: text }, ['a']), object({ a: text }), 'a may now be missing'],
  ['output', object({ a: text }), object({ a: maybe }), 'a may now be null'],
  ['output', object({ a: text }), object({ a: { type: ['string', 'null'] } }), 'a may now be null'],
  ['output', object({ a: { const: 'x' } }), object({ a: text }), 'a may now be any value'],
])('%s of %j and then of %j breaks callers', (side, before, after, what) => {
  expect(breakingChanges(one(side, before), one(side, after))).toEqual([`POST /x: ${what}`])
})

test.each<[Surface['side'], Schema, Schema]>([
  ['input', object({ a: text }, ['a']), object({ a: maybe, b: text })],
  ['input', { type: 'integer', maximum: 5 }, { type: 'number' }],
  ['input', { enum: ['x'] }, { enum: ['x', 'y'] }],
  ['output', object({ a: maybe }), object({ a: text, b: text }, ['a', 'b'])],
  ['output', maybe, { anyOf: [{ type: 'null' }, text] }],
])('%s of %j and then of %j breaks no caller', (side, before, after) => {
  expect(breakingChanges(one(side, before), one(side, after))).toEqual([])
})

test('a removed field, operation, webhook or intent is named once', () => {
  const before = doorDocuments()
  const { openapi, intents } = structuredClone(before)
  const booking = openapi.components.schemas.Booking as { properties: Record<string, Schema> }
  delete booking.properties.venue
  const guest = openapi.components.schemas.Guest as { properties: Record<string, Schema> }
  delete guest.properties.language
  delete openapi.paths['/api/ping']
  delete openapi.webhooks['fee.accrued']
  delete intents['booking.hold']
  expect([
    ...breakingChanges(restSurfaces(before.openapi), restSurfaces(openapi)),
    ...breakingChanges(intentSurfaces(before.intents), intentSurfaces(intents)),
  ]).toEqual([
    'GET /api/ping was removed',
    'webhook fee.accrued was removed',
    'NetworkPingAnswer was removed',
    'Booking: venue was removed',
    'Guest as input: language was removed',
    'intent booking.hold was removed',
  ])
})
