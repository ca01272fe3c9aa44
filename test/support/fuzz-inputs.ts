import fc from 'fast-check'
import { type Capability, exampleId } from '../../src/contract/capability.ts'

type Fields = Record<string, unknown>

/** A call by its A2A intent, whose input differs from the example by at most a few changes. */
export type FuzzedCall = { intent: string; input: Fields }

const texts = [
  ...['', ' ', '\0', 'a\0b', '\ud800', '🍣', '\u202e', '\ufeff', 'İ', '%00', '%', '..', '/'],
  ...["' or 1=1 --", '<script>', '{{7*7}}', '__proto__', 'constructor', 'null', 'NaN'],
  ...['2026-02-30', '0000-00-00', '9999-12-31', '2026-12-24T19:00:00Z', '2026-12-24T25:00:00'],
  ...[
    'http://[::1]',
    'http://a@b',
    'javascript:1',
    'agent://',
    '-1',
    '1e9',
    '0x10',
    'x'.repeat(5e3),
  ],
]
const numbers = [-1, -0, 0, 0.1, 61, 2 ** 31, 2 ** 53, 1e21, -1e308]
const nested: unknown[] = [null, true, [], {}, [[[[[]]]]], { toString: 1 }, Array(1_000).fill('x')]

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...texts, ...numbers, ...nested),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.jsonValue({ maxDepth: 2 }),
)

type Change = { how: 'replace' | 'drop' | 'add' | 'wrap' | 'nul'; at: number; value: unknown }

const change: fc.Arbitrary<Change> = fc.record({
  how: fc.constantFrom('replace', 'replace', 'drop', 'add', 'wrap', 'nul'),
  at: fc.nat(50),
  value: odd,
})

/** What exists: ids, to which calls may add, and fields such as a slot. */
export type Known = { ids: string[]; fields: Fields }

/** Calls to capabilities; half of them concern existing objects. */
export const fuzzedCalls = (
  capabilities: readonly Capability[],
  { ids, fields }: Known,
): fc.Arbitrary<FuzzedCall> =>
  fc
    .record({
      capability: fc.constantFrom(...capabilities),
      changes: fc.array(change, { maxLength: 2 }),
      real: fc.option(fc.nat(10_000), { freq: 1 }),
    })
    .map(({ capability, changes, real }) => {
      const known = real === null ? {} : { ...fields, [exampleId]: ids[real % ids.length] }
      const input = withoutWait(applied(changes, withKnown(capability.example, known)))
      return { intent: capability.a2a, input }
    })

/** A copy of the example with known fields at any depth, and a known id instead of its own. */
const withKnown = (example: Fields, known: Fields): Fields =>
  JSON.parse(JSON.stringify(example), (field, value) => known[field] ?? known[value] ?? value)

/** Applies each change to the field at its position, counted over all depths. */
function applied(changes: readonly Change[], input: Fields): Fields {
  for (const { how, at, value } of changes) {
    const places = placesOf(input)
    const place = places[at % Math.max(1, places.length)]
    if (how === 'add' || !place) input[`added${at}`] = value
    else if (how === 'drop') delete place.holder[place.field]
    else if (how === 'nul') place.holder[place.field] = withNul(place.holder[place.field])
    else place.holder[place.field] = how === 'wrap' ? [place.holder[place.field]] : value
  }
  return input
}

/** Any text with U+0000 at its end. */
const withNul = (value: unknown) => (typeof value === 'string' ? `${value}\0` : '\0')

function placesOf(holder: Fields): { holder: Fields; field: string }[] {
  return Object.entries(holder).flatMap(([field, value]) => [
    { holder, field },
    ...(value !== null && typeof value === 'object' ? placesOf(value as Fields) : []),
  ])
}

/** A permitted wait would only slow the run down. */
function withoutWait(input: Fields): Fields {
  const { wait } = input
  return typeof wait === 'number' && wait > 0 && wait <= 60 ? { ...input, wait: 0 } : input
}
