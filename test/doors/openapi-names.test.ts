import { expect, test } from 'vitest'
import { openApiDocument } from '../../src/doors/rest/openapi.ts'

const document = openApiDocument()
const { paths, webhooks, components } = document
type Node = Record<string, unknown>
type Content = Record<string, { schema: Node }>

const responses: Record<string, Node> = components.responses

const answers = Object.values(paths).flatMap((methods) =>
  Object.values(methods).flatMap(({ operationId, responses: byStatus }) =>
    Object.entries(byStatus)
      .filter(([status]) => status !== 'default')
      .map(([status, { $ref }]) => {
        const { content }: Node = responses[$ref.split('/').at(-1) ?? ''] ?? {}
        return { operationId, status, content }
      }),
  ),
)

/** What callers receive: answers, the schemas that they refer to, and the bodies of webhooks. */
function received(node: unknown, seen = new Map<string, unknown>()): Map<string, unknown> {
  for (const [, name = ''] of JSON.stringify(node).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (seen.has(name)) continue
    seen.set(name, components.schemas[name])
    received(components.schemas[name], seen)
  }
  return seen
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield value as Node
  for (const inner of Object.values(value)) yield* nodesIn(inner)
}

test('the document is less than half as large as without names', () => {
  expect(JSON.stringify(document).length).toBeLessThan(285_000)
})

test('every answer has a name, which is a word of its own', () => {
  for (const { operationId, status, content } of answers) {
    const { schema } = (content as Content)['application/json'] ?? { schema: { $ref: '/Answer' } }
    expect(schema, `${operationId} ${status}`).toEqual({
      $ref: expect.stringMatching(/\/(?:[A-Z][a-z]+)*Answer$/),
    })
  }
  for (const name of Object.keys(components.schemas)) expect(name).toMatch(/^(?:[A-Z][a-z]+)+$/)
})

test('operations on one subject share an answer, and each lists the fields it returns', () => {
  const { BookingAnswer } = components.schemas as Record<string, any>
  expect(BookingAnswer.required).toEqual(['booking'])
  expect(BookingAnswer.properties.status.enum).toEqual(
    expect.arrayContaining(['confirmed', 'held', 'amended', 'cancelled']),
  )
  const cancel = paths['/api/bookings/{id}/cancel']?.post
  expect(cancel?.responses).toMatchObject({ 200: { $ref: '#/components/responses/BookingAnswer' } })
  expect(cancel?.['x-answer-fields']).toEqual(
    expect.arrayContaining(['status', 'booking', 'cancellation?']),
  )
})

const isEntity = ({ type, properties }: Node) =>
  type === 'object' && ['id', 'created_at'].every((name) => Object.hasOwn(properties ?? {}, name))

test('what callers receive contains no unnamed entity, and no large object twice', () => {
  const sizes = new Map<string, number>()
  for (const [name, schema] of [...received([answers, webhooks]), ['webhooks', webhooks] as const])
    for (const node of nodesIn(schema)) {
      if (node === schema || node.type !== 'object') continue
      expect(isEntity(node), `in ${name}: ${JSON.stringify(node)}`).toBe(false)
      const text = JSON.stringify({ ...node, description: undefined })
      if (text.length > 250) sizes.set(text, (sizes.get(text) ?? 0) + 1)
    }
  expect([...sizes].filter(([, uses]) => uses > 1)).toEqual([])
})

test('answers admit fields that are yet to come, and requests do not', () => {
  const closed = (value: unknown) => JSON.stringify(value).includes('"additionalProperties":false')
  expect(closed([answers, webhooks, ...received([answers, webhooks]).values()])).toBe(false)
  expect(closed(components.schemas.BookingConfirmBody)).toBe(true)
  expect(closed(components.schemas.Guest)).toBe(true)
})

test('the forms of an answer are told apart by `detail`', () => {
  const forms = ['Compact', 'Full'].map((form) => `${form}BookingSearchAnswer`)
  expect(components.schemas.BookingSearchAnswer).toEqual({
    oneOf: forms.map((name) => ({ $ref: `#/components/schemas/${name}` })),
  })
  expect(forms.map((name) => (components.schemas[name] as any).properties.detail.const)).toEqual([
    'compact',
    'full',
  ])
})
