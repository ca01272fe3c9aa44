import { randomUUID } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { inject } from 'vitest'
import { ensureSchedules } from '../../src/compose/schedules.ts'
import { startApi } from '../../src/compose/start-api.ts'
import { startWorker } from '../../src/compose/start-worker.ts'
import { engineOf, type RunConfig, readRunConfig } from '../../src/config/config.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { createInstruments } from '../../src/platform/telemetry/instruments.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { Metrics } from '../../src/platform/telemetry/metrics.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { setUpNamespace } from '../../src/platform/temporal/namespace.ts'
import { type Agent, openAgent } from './agent.ts'
import { createDatabase, TIMEOUT_MS } from './database.ts'
import { patient } from './open-doors.ts'
import { ownPort } from './ports.ts'
import { bundleFolder } from './programs.ts'
import { recordHistories } from './record-histories.ts'

export type Network = {
  config: RunConfig
  /** The configuration as environment variables, for programs that the test starts. */
  env: Record<string, string>
  db: Pool
  client: Client
  close(): Promise<void>
}

export type NetworkOptions = {
  /** Whether the periodic workflows run; by default a test runs those it is about by itself. */
  isScheduled?: boolean
  /** Whether the demo venues remain demo venues, where nothing is charged. */
  isDemo?: boolean
}

/** A new database with the demo venues as real ones, and a new Temporal namespace. */
export async function openNetwork(
  overrides: Record<string, string> = {},
  { isScheduled = false, isDemo = false }: NetworkOptions = {},
): Promise<Network> {
  const database = await createDatabase()
  const env = {
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: `test-${randomUUID()}`,
    DATA_DIR: bundleFolder,
    WORKFLOW_STICKY_SECONDS: '1',
    MAX_EVENT_LOOP_DELAY_MS: patient.MAX_EVENT_LOOP_DELAY_MS,
    REQUESTS_PER_SECOND: patient.REQUESTS_PER_SECOND,
    REQUESTS_IN_FLIGHT: patient.REQUESTS_IN_FLIGHT,
    BOOKINGS_PER_SECOND: patient.BOOKINGS_PER_SECOND,
    BOOKINGS_IN_FLIGHT: patient.BOOKINGS_IN_FLIGHT,
    SECRETS_KEY: newSealingKey(),
    TIMELINE_KEY: newSealingKey(),
    PORT: String(await ownPort()),
    LOG_LEVEL: 'info',
    ...overrides,
  }
  const config = readRunConfig(env)
  const pooler = config.DATABASE_POOLER
  const limits = { pooler, patienceMs: TIMEOUT_MS }
  const db = openPool(config.DATABASE_URL, 5, () => {}, undefined, limits)
  if (!isDemo) await db.query('update venue set is_demo = false')
  const client = await connectEngine(engineOf(config))
  await setUpNamespace(client)
  if (isScheduled) await ensureSchedules(client)
  return {
    config,
    env,
    db,
    client,
    async close() {
      await recordHistories(client)
      if (isScheduled) await removeSchedules(client)
      await client.connection.close()
      await db.end()
      await database.drop()
    },
  }
}

/** Its namespace stays until the server of the run ends; a schedule would start workflows there. */
async function removeSchedules({ schedule }: Client): Promise<void> {
  for await (const { scheduleId } of schedule.list()) {
    await schedule.getHandle(scheduleId).delete()
  }
}

export type Service = Network & { url: string; agent: Agent; metrics?: Metrics }

/**
 * The running network (`npm run cluster -- --test`), whose API and workers are separate processes,
 * and whose database is shared with other test files. Otherwise like `openService`.
 */
export async function openRunningService(options?: NetworkOptions): Promise<Service> {
  const url = inject('baseUrl')
  if (!url) return openService({}, options)
  const config = readRunConfig({
    NODE_ENV: 'test',
    DATABASE_URL: inject('databaseUrl'),
    TEMPORAL_ADDRESS: inject('temporalAddress'),
    TEMPORAL_NAMESPACE: process.env.TEMPORAL_NAMESPACE,
  })
  const db = openPool(config.DATABASE_URL, 5, () => {})
  const client = await connectEngine(engineOf(config))
  return {
    config,
    env: {},
    db,
    client,
    url,
    agent: await openAgent(db, url),
    async close() {
      await client.connection.close()
      await db.end()
    },
  }
}

/** A network with open doors and a running worker in this process, and a pro agent. */
export async function openService(
  overrides: Record<string, string> = {},
  options: NetworkOptions = {},
): Promise<Service> {
  const network = await openNetwork(overrides, options)
  const log = createLog('silent')
  // A test that reaches a limit needs only the refusal, not the one-second delay before it.
  const api = await startApi(network.config, log, undefined, { refusalDelayMs: 0 })
  const instruments = createInstruments()
  const worker = await startWorker(network.config, log, instruments)
  return {
    ...network,
    metrics: instruments.metrics,
    url: api.url,
    agent: await openAgent(network.db, api.url),
    async close() {
      await worker.stop()
      await api.stop()
      await network.close()
    },
  }
}
