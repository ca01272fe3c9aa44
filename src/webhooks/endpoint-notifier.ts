import { setTimeout } from 'node:timers/promises'
import { DELIVER_SIGNAL, type EndpointStart } from './rules/endpoint-messages.ts'
import type { NotifyEndpoints } from './store/outbox.ts'
import type { WebhookEngine } from './webhook-engine.ts'

/** The interval between two signals to one endpoint; doubles while there is more to report. */
const MIN_INTERVAL_MS = 100
const MAX_INTERVAL_MS = 500
const RETRY_PAUSES_MS = [200, 1_000]

/**
 * Signals endpoints that have deliveries: at once, then at most twice a second each. Best effort:
 * after three failures it calls `onMissed`, and the sweep takes over.
 */
export function createEndpointNotifier(
  { signalEndpoint }: Pick<WebhookEngine, 'signalEndpoint'>,
  onMissed: (start: EndpointStart, error: unknown) => void,
): NotifyEndpoints {
  /** Endpoints signalled within the interval; true when there is more to report. */
  const recent = new Map<string, boolean>()

  const signal = async (start: EndpointStart) => {
    for (const pause of RETRY_PAUSES_MS) {
      try {
        return await signalEndpoint(start, { name: DELIVER_SIGNAL })
      } catch {
        await setTimeout(pause, undefined, { ref: false })
      }
    }
    await signalEndpoint(start, { name: DELIVER_SIGNAL }).catch((error) => onMissed(start, error))
  }

  const signalWhileMoreComes = async (start: EndpointStart) => {
    let intervalMs = MIN_INTERVAL_MS
    do {
      recent.set(start.endpointId, false)
      const interval = setTimeout(intervalMs, undefined, { ref: false })
      await signal(start)
      await interval
      intervalMs = Math.min(intervalMs * 2, MAX_INTERVAL_MS)
    } while (recent.get(start.endpointId))
    recent.delete(start.endpointId)
  }

  return (endpoints) => {
    for (const start of endpoints) {
      if (recent.has(start.endpointId)) recent.set(start.endpointId, true)
      else void signalWhileMoreComes(start)
    }
  }
}
