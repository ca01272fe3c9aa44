import { eventFilters } from '../../../src/webhooks/rules/event-types.ts'
import { deliveryFilters } from '../../../src/webhooks/rules/statuses.ts'
import type { Deliveries, OneDelivery, RetriedDelivery } from '../answers.ts'
import { defineCommand } from '../command.ts'
import { exitCodes } from '../exit-codes.ts'
import { moreOf } from '../screen/more.ts'
import { toneOf } from '../screen/paint.ts'
import { printable } from '../screen/printable.ts'
import type { Screen } from '../screen/screen.ts'
import { deliveryTable, outcomeOf, showDelivery } from '../screen/show-delivery.ts'
import { withProgress } from '../terminal/progress.ts'
import { paged } from './paged.ts'

const deliveryArgument = { about: 'Id of a delivery' }
const exampleId = '67b8a353-bf0d-4fe0-bea8-5961b53340ca'

export const listDeliveries = defineCommand({
  words: 'webhooks deliveries',
  summary: 'List deliveries to your endpoints, sent and pending.',
  options: {
    endpoint: { kind: 'text', value: 'ID', about: 'Only of this endpoint' },
    status: {
      kind: 'text',
      value: 'STATUS',
      about: 'Only this status; `failing`: pending after a failed attempt',
      choices: deliveryFilters,
    },
    type: { kind: 'list', value: 'TYPES', about: 'Only these event types', choices: eventFilters },
    from: { kind: 'text', value: 'INSTANT', about: 'Created at or after: 2026-12-24T00:00:00Z' },
    until: { kind: 'text', value: 'INSTANT', about: 'Enqueued before' },
    ...paged,
  },
  examples: ['webhooks deliveries', 'webhooks deliveries --status failed --json'],
  async run({ options, network }) {
    const { type, ...others } = options
    const query = { ...others, type: type?.join(',') }
    const { body } = await (await network()).ask<Deliveries>({ path: '/api/deliveries', query })
    return { answer: body, text: (screen) => list(screen, body) }
  },
})

const list = (screen: Screen, { deliveries, next_cursor }: Deliveries) =>
  deliveries.length === 0
    ? 'No deliveries match.'
    : [deliveryTable(screen, deliveries), ...moreOf(screen, next_cursor)].join('\n')

export const oneDelivery = defineCommand({
  words: 'webhooks delivery',
  summary: 'Show a delivery with its attempts.',
  args: { delivery: deliveryArgument },
  examples: [`webhooks delivery ${exampleId}`],
  async run({ args, network }) {
    const path = `/api/deliveries/${encodeURIComponent(args.delivery)}`
    const { body } = await (await network()).ask<OneDelivery>({ path })
    return { answer: body, text: (screen) => showDelivery(screen, body) }
  },
})

export const retryDelivery = defineCommand({
  words: 'webhooks retry',
  summary: 'Retry a delivery now and show the outcome.',
  args: { delivery: deliveryArgument },
  examples: [`webhooks retry ${exampleId}`],
  async run({ args, network, terminal }) {
    const place = await network()
    const path = `/api/deliveries/${encodeURIComponent(args.delivery)}/retry`
    const { body } = await withProgress(terminal, 'Waiting for the receiver', () =>
      place.ask<RetriedDelivery>({ method: 'POST', path, body: {}, wait: 20 }),
    )
    return { answer: body, text: (screen) => retried(screen, body), code: codeOf(body.status) }
  },
})

const codeOf = (status: string) =>
  status === 'succeeded'
    ? exitCodes.done
    : status === 'pending'
      ? exitCodes.pending
      : exitCodes.refused

const retried = ({ paint }: Screen, { status, attempt, next }: RetriedDelivery) =>
  [
    paint(
      `The attempt ${status === 'pending' ? 'is still running' : `has ${status}`}.`,
      toneOf(status),
    ),
    ...(attempt ? [`The receiver: ${outcomeOf(attempt)}.`] : []),
    ...(attempt?.failure ? [printable(attempt.failure.text)] : []),
    ...(next ? [printable(next)] : []),
  ].join('\n')
