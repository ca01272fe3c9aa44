import { defineSearchAttributeKey } from '@temporalio/common'
import { searchAttributeTypes as types } from '../../src/base/task-queues.ts'
import type {
  Pace,
  SendReport,
  Trouble,
  WaitReason,
} from '../../src/webhooks/rules/batch-messages.ts'
import { isOpen } from '../../src/webhooks/rules/breaker.ts'
import type { DeliveryProgress, EndpointStart } from '../../src/webhooks/rules/endpoint-messages.ts'
import { showDetails } from '../messages.ts'
import { upsertChanged } from '../search-attributes.ts'
import { HOW_TO_STOP } from './endpoint-messages.ts'
import { type AttemptLine, attemptLine, troubleLine } from './webhook-names.ts'

const endpointId = defineSearchAttributeKey('EndpointId', types.EndpointId)
const endpointHost = defineSearchAttributeKey('EndpointHost', types.EndpointHost)
const accountId = defineSearchAttributeKey('AccountId', types.AccountId)
const endpointStatus = defineSearchAttributeKey('EndpointStatus', types.EndpointStatus)
const failingEvents = defineSearchAttributeKey('FailingEvents', types.FailingEvents)
const failingBookings = defineSearchAttributeKey('FailingBookings', types.FailingBookings)

/**
 * Sets the search attributes to the last batch's findings, so that operators can list failing
 * endpoints, and troubled deliveries by event and booking. Only a change issues a command.
 */
export function showInList(
  start: EndpointStart,
  { endpoint, host, breaker, troubles = [] }: SendReport,
): void {
  const isFailing = endpoint === 'active' && breaker !== null && breaker.failures > 0
  const status = isFailing ? 'failing' : endpoint
  const events = troubles.map(({ id }) => id)
  const bookings = [...new Set(troubles.flatMap(({ booking }) => booking ?? []))]
  upsertChanged([
    { key: endpointId, value: start.endpointId },
    { key: accountId, value: start.accountId },
    { key: endpointStatus, value: status },
    ...(host ? [{ key: endpointHost, value: host }] : []),
    { key: failingEvents, value: orNone(events) },
    { key: failingBookings, value: orNone(bookings) },
  ])
}

const orNone = (values: string[]) => (values.length > 0 ? values : null)

/** The past activity that the details show; kept when a run continues as new. */
export type EndpointNotes = {
  /** the last commands from the owner and operators, newest first */
  commands: readonly string[]
  /** the last attempts, newest first */
  attempts?: readonly string[]
  /** failed deliveries awaiting another attempt */
  troubles?: readonly Trouble[]
  /** the endpoint's host */
  host?: string
}

/** Maximum number of attempts in the details. */
const ATTEMPTS = 10

/** Adds these attempts to the notes. */
export function withAttempts(
  { attempts = [], ...notes }: EndpointNotes,
  newAttempts: readonly AttemptLine[],
  at: number,
): EndpointNotes {
  const time = new Date(at).toISOString().slice(11, 19)
  const lines = newAttempts.slice(-ATTEMPTS).map((attempt) => `${time} ${attemptLine(attempt)}`)
  return { ...notes, attempts: [...lines.reverse(), ...attempts].slice(0, ATTEMPTS) }
}

/** Markdown requires an empty line before a list. */
const list = (title: string, lines: readonly string[]) =>
  lines.length > 0 ? [[`${title}\n`, ...lines].join('\n- ')] : []

/** Shows the workflow's progress in the Temporal UI. */
export function showEndpoint(
  start: EndpointStart,
  { phase, summary, failures, concurrency }: DeliveryProgress,
  { commands, attempts = [], troubles = [], host }: EndpointNotes,
): void {
  const health = failures > 0 ? `${failures} consecutive failures.` : 'The last request succeeded.'
  const lines = [
    `**${phase}**: ${summary}`,
    `${health} Up to ${concurrency} requests at once.`,
    `Endpoint \`${start.endpointId}\`${host ? ` at \`${host}\`` : ''}`,
    `Account \`${start.accountId}\``,
    ...list(
      'Waiting for another attempt',
      troubles.map(
        (one) =>
          `${troubleLine(one, one.nextAt)} (attempt ${one.tries + 1}), event \`${one.id}\`` +
          `${one.booking ? `, booking \`${one.booking}\`` : ''}`,
      ),
    ),
    ...list('Last attempts (UTC)', attempts),
    ...list('Signals', commands),
  ]
  showDetails(lines, HOW_TO_STOP)
}

const holds: Record<string, string> = {
  unverified: 'Its URL is not verified; deliveries are held.',
  paused: 'WHO has paused it; deliveries are held.',
  disabled: 'It is disabled; deliveries are held.',
  deleted: 'It is deleted. Nothing more happens here.',
}

const waits: Record<WaitReason, string> = {
  due: 'The next attempt is due',
  replay: 'The replay continues',
  rate: 'Its rate limit allows the next request',
  breaker: 'It keeps failing; its oldest event is attempted',
  retry_after: 'It asked for a pause (Retry-After) until',
  fifo: 'First in, first out: the first event is attempted again',
}

/** The progress after a batch. */
export function progressAfter(report: SendReport): DeliveryProgress {
  const { endpoint, heldBy, nextAt, reason, breaker, concurrency } = report
  const at = isoTime(nextAt)
  const state = {
    nextAt: at,
    failures: breaker?.failures ?? 0,
    isOpen: breaker !== null && isOpen(breaker),
    concurrency,
  }
  const holdText = holds[endpoint]?.replace(
    'WHO',
    heldBy === 'operator' ? 'An operator' : 'Its owner',
  )
  if (holdText) {
    return { ...state, phase: endpoint === 'deleted' ? 'ended' : 'holding', summary: holdText }
  }
  const summary = at ? `${waits[reason]} ${at}.` : 'Everything is delivered.'
  const [trouble] = (report.troubles ?? []).toSorted((a, b) => a.nextAt - b.nextAt)
  // A breaker or a pause delays the next attempt; a replay or a fault of ours comes before it.
  if (trouble && nextAt && trouble.nextAt <= nextAt && reason !== 'replay' && reason !== 'rate') {
    return { ...state, phase: 'waiting', summary, timer: troubleLine(trouble, nextAt) }
  }
  return { ...state, phase: 'waiting', summary }
}

/** The progress before the first batch of a run. */
export const initialProgress = ({ breaker, concurrency }: Pace): DeliveryProgress => ({
  phase: 'sending',
  summary: 'Sending what is due.',
  nextAt: null,
  failures: breaker?.failures ?? 0,
  isOpen: breaker !== null && isOpen(breaker),
  concurrency,
})

/** The progress after a batch that failed on our side, leaving open attempts unknown. */
export function progressAfterFailure(
  { timer: _, ...before }: DeliveryProgress,
  nextAt: number | null,
): DeliveryProgress {
  const at = isoTime(nextAt)
  const summary = `The last batch failed on our side. The next one begins ${at}.`
  return { ...before, phase: 'failing', summary, nextAt: at }
}

const isoTime = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
