import type { AttemptSummary, Trouble } from '../../src/webhooks/rules/batch-messages.ts'
import { type EventNews, MAX_NAMES } from '../../src/webhooks/rules/endpoint-messages.ts'

/** Temporal servers refuse a summary of more than 400 bytes. */
const MAX_CHARS = 60
/** After a reset, old signals come again: their events were announced to the run that was reset. */
const NEWS_MS = 2_000

/** An event as a message of unknown origin names it. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MAX_CHARS

const namesIn = (events: unknown): string[] => (Array.isArray(events) ? events.filter(isName) : [])
const countIn = (more: unknown): number =>
  Number.isSafeInteger(more) ? Math.max(0, Number(more)) : 0

/**
 * Collects the events that signals announce. The summary of a batch is part of its order, so it
 * says what is known before: what was announced since the last batch, or which attempts are due
 * again. What the batch has sent is in its result.
 */
export function collectNames() {
  let names = new Set<string>()
  let more = 0
  let knowsTroubles = false
  return {
    /** Takes what a signal carried, if it is what the notifier sends. */
    add(value: unknown) {
      const { events, more: others, at } = Object(value ?? {}) as Partial<EventNews>
      if (!(Date.now() - Number(at) < NEWS_MS)) return
      for (const name of namesIn(events)) {
        if (names.size < MAX_NAMES) names.add(name)
        else more += 1
      }
      more += countIn(others)
    },
    /** What the last batch told is no longer known: it failed, or something else has changed it. */
    distrust() {
      knowsTroubles = false
    },
    /** The summary of the next batch, which will tell what is in trouble. */
    take(troubles: readonly Trouble[], at: number): string {
      const due = knowsTroubles ? troubles.filter(({ nextAt }) => nextAt <= at) : []
      const again = due.slice(0, MAX_NAMES).map(({ event }) => event)
      const summary =
        names.size > 0
          ? inWords('news of', [...names], more)
          : inWords('retry', again, due.length - again.length)
      names = new Set()
      more = 0
      knowsTroubles = true
      return summary
    },
  }
}

function inWords(verb: string, all: readonly string[], more: number): string {
  if (all.length === 0) return 'send what is due'
  return `${verb} ${all.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** What a request brought: `HTTP 204`, or the category of its failure. */
const outcomeOf = ({ http, failure, status }: AttemptLine): string =>
  http ? `HTTP ${http}` : (failure ?? status)

/** What the details show of an attempt. */
export type AttemptLine = Pick<AttemptSummary, 'event' | 'status'> & {
  [name in 'http' | 'ms']?: number | null
} & { failure?: string | null }

/** An attempt in the details: `booking.confirmed #7 → HTTP 204, 12 ms`. */
export const attemptLine = (attempt: AttemptLine): string =>
  `${attempt.event} → ${outcomeOf(attempt)}${attempt.ms ? `, ${attempt.ms} ms` : ''}`

/** A delivery in trouble, as timers show it: `booking.confirmed #7 → HTTP 500, next 21:59`. */
export const troubleLine = ({ event, outcome }: Trouble, nextAt: number): string =>
  `${event} → ${outcome}, next ${new Date(nextAt).toISOString().slice(11, 16)}`
