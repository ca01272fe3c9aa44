import { randomUUID } from 'node:crypto'

/** JSON, or an option for the command `temporal` with its value. */
export type Input = string | readonly string[]

const encoded = (encoding: string, input = '{"id":"x"}'): Input[] => [
  input,
  ['--input-meta', `encoding=${encoding}`],
]
const json = (...values: unknown[]): Input[] => values.map((value) => JSON.stringify(value))

/** What someone might send to a handler by mistake; `foreign` is the id of an unrelated row. */
export const wrongInputs = (foreign: string): Input[][] => [
  [],
  ...[null, true, 1, -1, 1e300, '', 'cancel-please', [], {}, [[{}]]].map((one) => json(one)),
  ...[{ id: 1 }, { id: null }, { id: 'cancel-please' }, { id: { id: 1 } }].map((one) => json(one)),
  json({ id: 'cancel-please', kind: 'cancel', input: {} }),
  json({ id: 'cancel-please', kind: 'cancel', input: {} }, 100),
  json({ id: randomUUID(), kind: 'cancel', input: {} }),
  json({ id: randomUUID(), kind: 'explode', input: {} }, 100),
  json({ id: randomUUID(), kind: 'cancel', input: 'x' }, 100),
  json({ id: randomUUID(), kind: 'cancel', input: {} }, 'abc'),
  json({ id: randomUUID(), kind: 'cancel', input: {} }, -1),
  json({ id: randomUUID(), kind: 'cancel', input: {}, more: 1 }, 100),
  json({ id: 'INC-1', by: 1, reason: 'why' }),
  json({ id: 'INC-1', by: 'Ayu', reason: 'x'.repeat(600), more: 1 }),
  json({ id: 'INC-1', by: 'two\nlines', reason: ' ', more: 1 }),
  json({ replay_id: randomUUID(), change: 'explode' }),
  json({ events: 'all', more: 'x' }),
  json({ events: [{}], more: -1 }),
  ['{"__proto__": {"id": "x"}}'],
  json('x'.repeat(100_000)),
  json({ id: 'x', by: 'Ayu', reason: { deep: 'x'.repeat(50_000) } }),
  json(1, 2, 3),
  json('abc', 'abc'),
  ...['binary/encrypted', 'json/protobuf', 'no/such', ''].map((one) => encoded(one)),
  encoded('binary/plain'),
  encoded('binary/null'),
  json(`${foreign}x`),
]
