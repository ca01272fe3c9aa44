import { catalogue } from '../../src/catalogue.ts'
import { everyDoorTo, type Said } from './every-door.ts'
import type { Doors } from './open-doors.ts'

/** Calls an operation on webhooks by its A2A name, at the door that is said. */
export type Call = (intent: string, input?: Record<string, unknown>, key?: string) => Promise<Said>

/** Both doors that have the operations on webhooks; MCP has none of them. */
export const webhookDoors = ['REST', 'A2A'] as const

/** One door of these, with the key of one account unless another is given. */
export const callsAt =
  (door: (typeof webhookDoors)[number], doors: () => Doors, holder: () => { key: string }): Call =>
  async (intent, input = {}, key = holder().key) => {
    const send = everyDoorTo(intent).find(([name]) => name === door)?.[1]
    if (!send) throw new Error(`${door} has no ${intent}`)
    return send(doors(), key, input)
  }

/** Every intent that is about one endpoint. */
export const intentsOnOne = catalogue
  .filter(({ rest }) => rest.route.includes('/api/webhooks/{id}'))
  .map(({ a2a }) => a2a)
