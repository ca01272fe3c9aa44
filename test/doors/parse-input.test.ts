import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { a2aUrl } from '../../src/agents/operations/agent-fields.ts'
import { Refusal } from '../../src/base/errors.ts'
import { parseInput } from '../../src/doors/calls/parse-input.ts'
import { catalogue } from '../../src/network.ts'

afterEach(() => vi.restoreAllMocks())

function problemsOf(schema: z.ZodObject, raw: unknown): unknown[] {
  try {
    parseInput(schema, raw)
    return []
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return error.data.facts.errors as unknown[]
  }
}

test('of thousands of unknown fields, those returned are described', () => {
  const schema = z.strictObject({ inner: z.strictObject({}) })
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`field${n}`, n]))
  const escapes = vi.spyOn(String.prototype, 'replaceAll')
  expect(problemsOf(schema, { ...many, inner: many })).toHaveLength(20)
  expect(escapes.mock.calls.length).toBeLessThan(200)
})

test('a field says once what it expected, with an example', () => {
  const advance = catalogue.find(({ a2a }) => a2a === 'clock.advance')?.operation.input
  const id = '01a200f6-3ac1-7880-8750-353be6363e4a'
  const detailsOf = (wrong: object) => problemsOf(advance as z.ZodObject, { id, ...wrong })
  expect(detailsOf({ by: 'P3Y' })).toEqual([
    {
      pointer: '/by',
      detail: 'expected an ISO 8601 duration in weeks or smaller: P3W, P1DT12H',
    },
  ])
  expect(detailsOf({ to: 'tomorrow' })).toEqual([
    { pointer: '/to', detail: 'expected an instant in UTC: 2026-12-24T11:00:00Z' },
  ])
  expect(detailsOf({ wait: 61 })).toEqual([
    { pointer: '/wait', detail: 'expected number to be <=60' },
  ])
})

type Fields = Record<string, unknown>

/** Copies of the input, each with `added` at the end of one of its texts. */
function* withText(input: Fields, added: string): Generator<Fields> {
  for (const [name, value] of Object.entries(input)) {
    const copy = (inner: unknown) =>
      Array.isArray(input) ? input.toSpliced(Number(name), 1, inner) : { ...input, [name]: inner }
    if (typeof value === 'string') yield copy(value + added) as Fields
    if (typeof value !== 'object' || value === null) continue
    for (const inner of withText(value as Fields, added)) yield copy(inner) as Fields
  }
}

test.each([
  ['U+0000', '\0'],
  ['an unpaired surrogate', '\ud800'],
])('no text of any operation accepts %s', (_, added) => {
  let texts = 0
  for (const { operation, example } of catalogue) {
    for (const input of withText(example, added)) {
      texts += 1
      expect(problemsOf(operation.input, input), JSON.stringify(input)).not.toEqual([])
    }
  }
  expect(texts).toBeGreaterThan(catalogue.length)
})

test.each(['\0', '\x1b[2J', '\ud800', ' ', '\n', '\u0085'])(
  'an agent’s address does not accept %j',
  (text) => {
    expect(a2aUrl.safeParse('https://agent.example/a2a').success).toBe(true)
    expect(a2aUrl.safeParse(`https://agent.example/${text}a2a`).success).toBe(false)
  },
)
