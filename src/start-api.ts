import { buildApp } from './app.ts'
import { publicUrlOf, type RunConfig } from './config.ts'
import { createBookingEngine } from './engine/booking-engine.ts'
import { connectEngine } from './engine/connect.ts'
import { secretsKeys } from './local/secrets-key.ts'
import { createSealer } from './outbound/sealing.ts'
import { cachedLexicon } from './search/lexicon.ts'
import { insertNetworkAgent } from './store/agents.ts'
import { openPool } from './store/sql.ts'
import type { Log } from './telemetry/log.ts'

const LEXICON_TTL_MS = 60_000

/** The doors, listening. `stop` lets requests in progress end, then closes every connection. */
export async function startApi(
  config: RunConfig,
  log: Log,
): Promise<{ url: string; stop(): Promise<void> }> {
  const publicUrl = publicUrlOf(config)
  const db = openPool(config.DATABASE_URL, config.DATABASE_POOL, (error) =>
    log.error({ err: error }, 'lost an idle database connection'),
  )
  const client = await connectEngine({
    address: config.TEMPORAL_ADDRESS,
    namespace: config.TEMPORAL_NAMESPACE,
  })
  const services = {
    db,
    engine: createBookingEngine(client),
    lexicon: cachedLexicon(db, LEXICON_TTL_MS),
    settings: { feePct: config.FEE_PCT, proMonthlyUsd: config.PRO_MONTHLY_USD, publicUrl },
  }
  await insertNetworkAgent(db, { publicUrl, at: new Date() })
  const app = await buildApp({
    config: { ...config, PUBLIC_URL: publicUrl },
    services,
    sealer: createSealer(secretsKeys(config)),
    log,
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  return {
    url: publicUrl,
    async stop() {
      await app.close()
      await client.connection.close()
      await db.end()
    },
  }
}
