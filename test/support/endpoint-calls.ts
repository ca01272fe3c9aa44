import { catalogue } from '../../src/network.ts'
import { type DoorAnswer, everyDoorTo } from './every-door.ts'
import type { Doors } from './open-doors.ts'

/** Calls a webhook operation by its A2A intent at a given door. */
export type Call = (
  intent: string,
  input?: Record<string, unknown>,
  key?: string,
) => Promise<DoorAnswer>

/** Both doors that have the webhook operations; MCP does not. */
export const webhookDoors = ['REST', 'A2A'] as const

/** Calls at one of these doors, with one account's key by default. */
export const callsAt =
  (door: (typeof webhookDoors)[number], doors: () => Doors, holder: () => { key: string }): Call =>
  async (intent, input = {}, key = holder().key) => {
    const send = everyDoorTo(intent).find(([name]) => name === door)?.[1]
    if (!send) throw new Error(`${door} has no ${intent}`)
    return send(doors(), key, input)
  }

/** Every intent about one endpoint. */
export const intentsOnOne = catalogue
  .filter(({ rest }) => rest.route.includes('/api/webhooks/{id}'))
  .map(({ a2a }) => a2a)
