import type { AttemptSummary, Trouble } from '../../src/webhooks/rules/batch-messages.ts'
import { type EventNews, MAX_NAMES } from '../../src/webhooks/rules/endpoint-messages.ts'

/** Temporal servers refuse a summary of more than 400 bytes. */
const MAX_CHARS = 60
/** After a reset, old signals return; their events were announced to the run that was reset. */
const NEWS_MS = 2_000

/** An event in a message of unknown origin. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MAX_CHARS

const namesIn = (events: unknown): string[] => (Array.isArray(events) ? events.filter(isName) : [])
const countIn = (more: unknown): number =>
  Number.isSafeInteger(more) ? Math.max(0, Number(more)) : 0

/**
 * Collects the events that signals announce. A batch's summary is part of its start command, so it
 * names what is known beforehand: events announced since the last batch, or attempts due again. The
 * batch's result lists what it has sent.
 */
export function collectNames() {
  let names = new Set<string>()
  let more = 0
  let knowsTroubles = false
  return {
    /** Accepts a signal's contents if the notifier could have sent them. */
    add(value: unknown) {
      const { events, more: others, at } = Object(value ?? {}) as Partial<EventNews>
      if (!(Date.now() - Number(at) < NEWS_MS)) return
      for (const name of namesIn(events)) {
        if (names.size < MAX_NAMES) names.add(name)
        else more += 1
      }
      more += countIn(others)
    },
    /** Forgets the last batch's findings, because it failed or they have since been changed. */
    distrust() {
      knowsTroubles = false
    },
    /** The summary of the next batch, which will report the deliveries in trouble. */
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

/** A request's result: `HTTP 204`, or the category of its failure. */
const outcomeOf = ({ http, failure, status }: AttemptLine): string =>
  http ? `HTTP ${http}` : (failure ?? status)

/** An attempt's fields in the details. */
export type AttemptLine = Pick<AttemptSummary, 'event' | 'status'> & {
  [name in 'http' | 'ms']?: number | null
} & { failure?: string | null }

/** An attempt in the details: `booking.confirmed #7 → HTTP 204, 12 ms`. */
export const attemptLine = (attempt: AttemptLine): string =>
  `${attempt.event} → ${outcomeOf(attempt)}${attempt.ms ? `, ${attempt.ms} ms` : ''}`

/** A delivery in trouble, as timers show it: `booking.confirmed #7 → HTTP 500, next 21:59`. */
export const troubleLine = ({ event, outcome }: Trouble, nextAt: number): string =>
  `${event} → ${outcome}, next ${new Date(nextAt).toISOString().slice(11, 16)}`
