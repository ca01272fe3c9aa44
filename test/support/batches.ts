import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createOutbound } from '../../src/platform/http/client.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey, parseSealingKeys } from '../../src/platform/sealing/sealing-keys.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { Pace, SendReport } from '../../src/webhooks/rules/batch-messages.ts'
import { INITIAL_CONCURRENCY } from '../../src/webhooks/rules/concurrency.ts'
import { sendDue } from '../../src/webhooks/sender/send-due.ts'
import type { SenderDeps } from '../../src/webhooks/sender/send-request.ts'
import { createDatabase } from './database.ts'
import { type EndpointOptions, type MadeEndpoint, makeEndpoint } from './endpoints.ts'

/** Sends batches to endpoints with only a database and a sender, without workflows. */
export type Batches = {
  db: Pool
  deps: SenderDeps
  make(wish: EndpointOptions): Promise<MadeEndpoint>
  /** One batch with the remembered `pace`, empty by default. */
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
  const fresh: Pace = { breaker: null, concurrency: INITIAL_CONCURRENCY, paceAt: 0, provedAt: null }
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
