import type {
  AttemptSummary,
  SendReport,
  Trouble,
} from '../../src/webhooks/rules/batch-messages.ts'
import { type EventNews, MAX_NAMES } from '../../src/webhooks/rules/endpoint-messages.ts'

/** Temporal servers refuse a summary of more than 400 bytes. */
const MOST_CHARS = 60
/** After a reset, old signals come again: their events were sent by the run that was reset. */
const NEWS_MS = 2_000

/** An event as a message of unknown origin names it. */
const isName = (name: unknown): name is string =>
  typeof name === 'string' && name.length <= MOST_CHARS

/** The number in an event's name. */
const numberOf = (name: string) => Number(/#(\d+)$/.exec(name)?.[1] ?? 0)

/**
 * Collects the events that signals name, for the summary of the batch that sends them. A batch is
 * named after events only where it can have nothing else to send, because the summary is part of
 * the order: after a batch that left nothing, and without anything that changes what is due.
 */
export function collectNames() {
  let names = new Set<string>()
  let more = 0
  /** The number of the newest event sent: what is older is not news, when its signal is late. */
  let newest = 0
  let announcedAt = 0
  let hasOnlyNews = false
  return {
    /** Takes what a signal carried, if it is what the notifier sends. */
    add(given: unknown) {
      const { events, more: others, at } = Object(given ?? {}) as Partial<EventNews>
      for (const name of Array.isArray(events) ? events : []) {
        if (!isName(name) || numberOf(name) <= newest) continue
        if (names.size < MAX_NAMES) names.add(name)
        else more += 1
      }
      if (Number.isSafeInteger(others) && Number(others) > 0) more += Number(others)
      announcedAt = Number(at)
    },
    /** Something has changed what is due: a replay, a pause, the end of one. */
    distrust() {
      hasOnlyNews = false
    },
    /** The summary of the next batch: its new events, or those that it tries again. */
    take(troubles: readonly Trouble[], at: number): string {
      const again = troubles.filter(({ nextAt }) => nextAt <= at).map(({ event }) => event)
      const isNews = hasOnlyNews && Date.now() - announcedAt < NEWS_MS
      const summary = isNews
        ? inWords('send', [...names], more)
        : inWords('retry', again.slice(0, MAX_NAMES), again.length - MAX_NAMES)
      names = new Set()
      more = 0
      hasOnlyNews = false
      return summary
    },
    /** What a batch has sent is not news, even if its signal came while it was being sent. */
    note({ sent, endpoint, nextAt, breaker }: SendReport) {
      newest = Math.max(newest, ...sent.map(({ event }) => numberOf(event)))
      names = new Set([...names].filter((name) => numberOf(name) > newest))
      more = 0
      hasOnlyNews = endpoint === 'active' && nextAt === null && !breaker?.failures
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
