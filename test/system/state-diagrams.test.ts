import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { transitions } from '../../src/bookings/rules/booking.ts'
import { shownDeliveryStatuses } from '../../src/webhooks/rules/statuses.ts'

/** The transitions in the state diagram of a workflow file, as `from to`. */
function movesIn(path: string): string[] {
  const text = readFileSync(resolve(import.meta.dirname, '../../workflows', path), 'utf8')
  const [, diagram = ''] = /stateDiagram-v2\n(.*?)\*\//s.exec(text) ?? []
  return [...diagram.matchAll(/(\w+) --> (\w+):/g)].map(([, from, to]) => `${from} ${to}`)
}

test('the diagram of a booking shows the transitions that the store allows, and no others', () => {
  const allowed = Object.entries(transitions).flatMap(([from, tos]) =>
    tos.map((to) => `${from} ${to}`),
  )
  expect(movesIn('bookings/booking.ts').toSorted()).toEqual(allowed.toSorted())
})

test('the diagram of a delivery has every status that is stored', () => {
  const moves = movesIn('webhooks/webhook-delivery.ts')
  const shown = new Set(moves.flatMap((move) => move.split(' ')))
  const stored = shownDeliveryStatuses.filter((status) => status !== 'held')
  expect([...shown].toSorted()).toEqual(stored.toSorted())
})
