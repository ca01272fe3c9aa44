import type {
  AttemptSummary,
  SendReport,
  Trouble,
} from '../../src/webhooks/rules/batch-messages.ts'
import { type EventNames, MAX_NAMES } from '../../src/webhooks/rules/endpoint-messages.ts'

/** Temporal servers refuse a summary of more than 400 bytes. */
const MOST_CHARS = 60

/** An event as a message of unknown origin names it. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MOST_CHARS

/**
 * Collects the events that signals name, for the summary of the batch that sends them. A batch may
 * have sent an event before its signal comes.
 */
export function collectNames() {
  let names = new Set<string>()
  let more = 0
  let sent = new Set<string>()
  return {
    /** Takes what a signal carried, if it is what the notifier sends. */
    add(given: unknown) {
      const { events, more: others } = Object(given ?? {}) as Partial<EventNames>
      for (const name of Array.isArray(events) ? events : []) {
        if (!isName(name) || sent.has(name)) continue
        if (names.size < MAX_NAMES) names.add(name)
        else more += 1
      }
      if (Number.isSafeInteger(others)) more += others as number
    },
    /** The summary of the next batch: its new events, or those that it tries again. */
    summary(troubles: readonly Trouble[], at: number): string {
      const again = troubles.filter(({ nextAt }) => nextAt <= at).map(({ event }) => event)
      const [all, others] =
        names.size > 0 ? [[...names], more] : [again.slice(0, MAX_NAMES), again.length - MAX_NAMES]
      if (all.length === 0) return 'send what is due'
      const verb = names.size > 0 ? 'send' : 'retry'
      return `${verb} ${all.join(', ')}${others > 0 ? ` and ${others} more` : ''}`
    },
    /** Forgets what a batch has sent. */
    clear({ sent: attempts }: SendReport) {
      sent = new Set(attempts.map(({ event }) => event))
      names = new Set([...names].filter((name) => !sent.has(name)))
      more = 0
    },
  }
}

/** What a request brought: `HTTP 204`, or the category of its failure. */
const outcomeOf = ({ http, failure, status }: AttemptSummary): string =>
  http ? `HTTP ${http}` : (failure ?? status)

/** An attempt in the details: `booking.confirmed #7 → HTTP 204, 12 ms`. */
export const attemptLine = (attempt: AttemptSummary): string => {
  // Batches of the release before named deliveries.
  const name = attempt.event ?? attempt.delivery
  const ms = attempt.ms === undefined ? '' : `, ${attempt.ms} ms`
  return `${name} → ${outcomeOf(attempt)}${ms}`
}

/** A delivery in trouble, as timers show it: `booking.confirmed #7 → HTTP 500, next 21:59`. */
export const troubleLine = ({ event, outcome }: Trouble, nextAt: number): string =>
  `${event} → ${outcome}, next ${new Date(nextAt).toISOString().slice(11, 16)}`
