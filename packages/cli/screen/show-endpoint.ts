import type { Endpoint } from '../answers.ts'
import { facts } from './facts.ts'
import { toneOf } from './paint.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'
import { instant } from './times.ts'

const waiting = ({ deliveries: { pending, held, failed } }: Endpoint) =>
  `${pending} pending, ${held} held, ${failed} failed`

/** An endpoint with its health. */
export function showEndpoint(screen: Screen, endpoint: Endpoint): string {
  const at = (text: string | null) => (text === null ? null : instant(text, screen.zone))
  const { status, status_reason, wait_until, wait_reason, rate_per_second, headers } = endpoint
  return facts(screen, [
    ['endpoint', endpoint.id],
    ['url', endpoint.url, 'strong'],
    ['description', endpoint.description],
    ['status', status + (status_reason ? ` (${status_reason})` : ''), toneOf(status)],
    ['events', endpoint.event_types.join(', ')],
    ['deliveries', waiting(endpoint)],
    ['last sequence', String(endpoint.last_sequence)],
    ['failing since', at(endpoint.failing_since), 'bad'],
    ['waits until', wait_until && `${at(wait_until)} (${wait_reason})`, 'wait'],
    ['waits for', wait_reason === 'network' ? 'the network, which is behind' : null, 'wait'],
    ['in order', endpoint.fifo ? 'one at a time' : null],
    ['at most', rate_per_second === null ? null : `${rate_per_second} per second`],
    ['headers', Object.keys(headers).join(', ')],
    ['secrets', endpoint.keys.map(({ id, state }) => `${state} ${id}`).join('; ')],
    ['created', at(endpoint.created_at)],
  ])
}

/** A table of endpoints. */
export const endpointTable = (screen: Screen, endpoints: readonly Endpoint[]): string =>
  table(
    screen,
    [
      { head: 'ENDPOINT', cell: ({ id }) => id, whole: true },
      {
        head: 'STATUS',
        cell: ({ status }) => status,
        tone: ({ status }) => toneOf(status),
        whole: true,
      },
      { head: 'URL', cell: ({ url }) => url, least: 24 },
      {
        head: 'EVENTS',
        cell: ({ event_types }) => event_types.join(' '),
        least: 16,
        dispensable: 2,
      },
      { head: 'DELIVERIES', cell: waiting, whole: true, dispensable: 1 },
    ],
    endpoints,
  )
