import type { Attempt, Delivery, OneDelivery } from '../answers.ts'
import { facts } from './facts.ts'
import { toneOf } from './paint.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { instant } from './times.ts'

/** A table of deliveries with the outcome of each last attempt. */
export const deliveryTable = (screen: Screen, deliveries: readonly Delivery[]): string =>
  table(
    screen,
    [
      { head: 'DELIVERY', cell: ({ id }) => id, whole: true },
      {
        head: 'STATUS',
        cell: ({ status }) => status,
        tone: ({ status }) => toneOf(status),
        whole: true,
      },
      { head: 'EVENT', cell: ({ event }) => event.type, least: 18 },
      { head: 'TRIES', cell: ({ tries }) => `${tries}`, align: 'right', dispensable: 3 },
      {
        head: 'LAST',
        cell: ({ last_attempt }) => outcomeOf(last_attempt),
        whole: true,
        dispensable: 2,
      },
      {
        head: 'NEXT',
        cell: ({ next }) => (next?.at ? instant(next.at, screen.zone) : ''),
        whole: true,
        dispensable: 1,
      },
      {
        head: 'CREATED',
        cell: ({ created_at }) => instant(created_at, screen.zone),
        whole: true,
        dispensable: 4,
      },
    ],
    deliveries,
  )

type Ending = { status: string; http_status: number | null; ms: number | null; failure: unknown }

/** An attempt's outcome in a few words: `204 in 6 ms`, `connect`. */
export function outcomeOf(attempt: Ending | null): string {
  if (!attempt) return ''
  const { status, http_status, ms, failure } = attempt
  const category =
    typeof failure === 'object' && failure !== null && 'category' in failure
      ? failure.category
      : failure
  const what = http_status ?? category ?? status
  return `${what}${ms === null ? '' : ` in ${ms} ms`}`
}

/** A delivery with its attempts, newest first. */
export function showDelivery(screen: Screen, { delivery, attempts }: OneDelivery): string {
  const { event, next } = delivery
  const at = (text: string) => instant(text, screen.zone)
  const head = facts(screen, [
    ['delivery', delivery.id],
    ['status', delivery.status, toneOf(delivery.status)],
    ['event', `${event.type} ${event.id} (number ${event.number})`],
    ['endpoint', delivery.endpoint_id],
    ['sequence', delivery.sequence === null ? null : String(delivery.sequence)],
    ['next try', next?.at ? `${at(next.at)}: ${next.rule}` : next?.rule],
    ['delivered', delivery.delivered_at === null ? null : at(delivery.delivered_at)],
    ['expires at', delivery.delivered_at === null ? at(delivery.give_up_at) : null],
  ])
  return attempts.length === 0 ? head : `${head}\n\n${attemptTable(screen, attempts)}`
}

const attemptTable = (screen: Screen, attempts: readonly Attempt[]) =>
  table<Attempt>(
    screen,
    [
      { head: 'TRY', cell: ({ number }) => `${number}`, align: 'right' },
      { head: 'WHEN', cell: ({ started_at }) => instant(started_at, screen.zone), whole: true },
      { head: 'CAUSE', cell: ({ cause }) => cause, dispensable: 1 },
      {
        head: 'STATUS',
        cell: ({ status }) => status,
        tone: ({ status }) => toneOf(status),
        whole: true,
      },
      { head: 'ANSWER', cell: outcomeOf },
      { head: 'WHY', cell: ({ failure }) => failure?.text ?? '', dispensable: 2 },
    ],
    attempts,
  )
