import { setTimeout } from 'node:timers/promises'
import { DELIVER_SIGNAL, type EndpointStart } from './rules/webhooks.ts'
import type { WebhookEngine } from './webhook-engine.ts'

/** Between two messages to the same endpoint: what comes up meanwhile is told together. Twice as long each time, while there is more. */
const GATHER_MS = 100
const LONGEST_GATHER_MS = 500
const PAUSES_MS = [200, 1_000]

/**
 * Tells the workflows of endpoints that there is something to deliver: at once, and while more comes up less and less often, down
 * to twice a second each. Best effort, a few tries; `onLost` hears of whom nobody told, whom the sweep finds.
 */
export function createEndpointNotifier(
  { signalEndpoint }: Pick<WebhookEngine, 'signalEndpoint'>,
  onLost: (start: EndpointStart, error: unknown) => void,
): (endpoints: readonly EndpointStart[]) => void {
  /** Endpoints that were told just now; true when there is more to tell. */
  const told = new Map<string, boolean>()

  const tell = async (start: EndpointStart) => {
    for (const pause of PAUSES_MS) {
      try {
        return await signalEndpoint(start, { name: DELIVER_SIGNAL })
      } catch {
        await setTimeout(pause, undefined, { ref: false })
      }
    }
    await signalEndpoint(start, { name: DELIVER_SIGNAL }).catch((error) => onLost(start, error))
  }

  const keepTelling = async (start: EndpointStart) => {
    let gatherMs = GATHER_MS
    do {
      told.set(start.endpointId, false)
      const rest = setTimeout(gatherMs, undefined, { ref: false })
      await tell(start)
      await rest
      gatherMs = Math.min(gatherMs * 2, LONGEST_GATHER_MS)
    } while (told.get(start.endpointId))
    told.delete(start.endpointId)
  }

  return (endpoints) => {
    for (const start of endpoints) {
      if (told.has(start.endpointId)) told.set(start.endpointId, true)
      else void keepTelling(start)
    }
  }
}
