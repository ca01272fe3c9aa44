import { sendDue } from '../../activities/webhooks/send-due.ts'
import type { SenderDeps } from '../../activities/webhooks/send-request.ts'
import { FIRST_PLACES } from '../../src/model/send-places.ts'
import type { Pace, SendReport } from '../../src/model/sending.ts'
import { createOutbound } from '../../src/outbound/client.ts'
import { createSealer } from '../../src/outbound/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/outbound/sealing-keys.ts'
import { openPool, type Pool } from '../../src/store/sql.ts'
import { createLog } from '../../src/telemetry/log.ts'
import { createDatabase } from './database.ts'
import { type EndpointWish, type MadeEndpoint, makeEndpoint } from './endpoints.ts'

/** Batches to endpoints without workflows: a database of its own and what sends. */
export type Batches = {
  db: Pool
  deps: SenderDeps
  make(wish: EndpointWish): Promise<MadeEndpoint>
  /** One batch after what `pace` remembers, nothing unless given. */
  send(endpoint: MadeEndpoint, pace?: Partial<Pace>, at?: number): Promise<SendReport>
  close(): Promise<void>
}

export async function openBatches(): Promise<Batches> {
  const database = await createDatabase()
  const db = openPool(database.url, 10, () => {})
  const policy = { allow: [], httpsOnly: false, allowLoopback: true, ports: [], maxSockets: 100 }
  const outbound = createOutbound(policy)
  const sealer = createSealer(parseSealingKeys(newSealingKey()) ?? [])
  const deps = { db, outbound, sealer, log: createLog('silent'), count() {}, heldDays: 30 }
  const fresh: Pace = { breaker: null, places: FIRST_PLACES, paceAt: 0 }
  return {
    db,
    deps,
    make: (wish) => makeEndpoint(db, sealer, wish),
    send: (endpoint, pace = {}, at = Date.now()) =>
      sendDue(deps, endpoint, { ...fresh, ...pace, at, seed: 7 }, new AbortController().signal),
    async close() {
      await outbound.close()
      await db.end()
      await database.drop()
    },
  }
}
