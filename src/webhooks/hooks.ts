import { setTimeout } from 'node:timers/promises'
import type { WebhookEngine } from './engine.ts'
import {
  DELIVER_SIGNAL,
  type EndpointStart,
  type EventNames,
  MAX_NAMES,
} from './rules/endpoint-messages.ts'
import type { Enqueued, NotifyEndpoints } from './store/outbox.ts'

/** The interval between two signals to an endpoint; doubles as long as there is more to report. */
const MIN_INTERVAL_MS = 100
const MAX_INTERVAL_MS = 500
const RETRY_PAUSES_MS = [200, 1_000]

/**
 * Signals endpoints that have new deliveries: at once, then at most twice a second each. Best
 * effort: after three failures it calls `onMissed` and leaves the rest to the sweep.
 */
export function createEndpointNotifier(
  { signalEndpoint }: Pick<WebhookEngine, 'signalEndpoint'>,
  onMissed: (start: EndpointStart, error: unknown) => void,
): NotifyEndpoints {
  /** Endpoints signalled within the interval, with the events to report next. */
  const recent = new Map<string, EventNames | null>()

  const signal = async (start: EndpointStart, names: EventNames) => {
    const news = names.events.length > 0 && { ...names, at: Date.now() }
    const deliver = { name: DELIVER_SIGNAL, ...news } as const
    for (const pause of RETRY_PAUSES_MS) {
      try {
        return await signalEndpoint(start, deliver)
      } catch {
        await setTimeout(pause, undefined, { ref: false })
      }
    }
    await signalEndpoint(start, deliver).catch((error) => onMissed(start, error))
  }

  const signalWhileMoreComes = async (start: EndpointStart, first: EventNames) => {
    let intervalMs = MIN_INTERVAL_MS
    for (let names: EventNames | null | undefined = first; names; ) {
      recent.set(start.endpointId, null)
      const interval = setTimeout(intervalMs, undefined, { ref: false })
      await signal(start, names)
      await interval
      intervalMs = Math.min(intervalMs * 2, MAX_INTERVAL_MS)
      names = recent.get(start.endpointId)
    }
    recent.delete(start.endpointId)
  }

  return (enqueued) => {
    for (const [endpointId, { start, ...names }] of groupEvents(enqueued)) {
      const waiting = recent.get(endpointId)
      if (waiting === undefined) void signalWhileMoreComes(start, names)
      else recent.set(endpointId, waiting ? joinNames(waiting, names) : names)
    }
  }
}

/** The events to report, by endpoint. */
function groupEvents(enqueued: readonly Enqueued[]) {
  const groups = new Map<string, EventNames & { start: EndpointStart }>()
  for (const { event, ...start } of enqueued) {
    const one = { events: event === undefined ? [] : [event], more: 0 }
    const before = groups.get(start.endpointId) ?? { events: [], more: 0 }
    groups.set(start.endpointId, { start, ...joinNames(before, one) })
  }
  return groups
}

function joinNames(one: EventNames, other: EventNames): EventNames {
  const events = [...one.events, ...other.events]
  const more = one.more + other.more + Math.max(0, events.length - MAX_NAMES)
  return { events: events.slice(0, MAX_NAMES), more }
}
