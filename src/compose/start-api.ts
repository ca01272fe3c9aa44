import { setTimeout } from 'node:timers/promises'
import { insertNetworkAgent } from '../agents/store/agents.ts'
import { decideHere } from '../bookings/steps/decide-here.ts'
import { createTimelineSigner } from '../bookings/steps/timeline-signer.ts'
import { engineOf, publicUrlOf, type RunConfig } from '../config/config.ts'
import { showMissingWorkflows } from '../contract/missing-workflows.ts'
import { timelineKeys } from '../local/key-files.ts'
import { requireFreePort } from '../local/ports.ts'
import type { NetworkEngine, NetworkServices } from '../network.ts'
import { createBilling } from '../payments/hooks.ts'
import { countFailingRows } from '../platform/database/failing-rows.ts'
import { openPool } from '../platform/database/sql.ts'
import { requireServing } from '../platform/database/usable.ts'
import { createEgress } from '../platform/http/egress.ts'
import { subscriberPolicy } from '../platform/http/target.ts'
import { devMailboxUrl } from '../platform/mail/dev-mailbox.ts'
import { createSendMail, mailTransport } from '../platform/mail/send-mail.ts'
import { createInstruments, type Instruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { showFailing } from '../platform/telemetry/pass-metrics.ts'
import { showPool, watchStatements } from '../platform/telemetry/pool-watch.ts'
import { showQueues } from '../platform/telemetry/queue-metrics.ts'
import { showSchedules } from '../platform/telemetry/schedule-metrics.ts'
import { openEngine } from '../platform/temporal/connect.ts'
import { createEndpointNotifier } from '../webhooks/hooks.ts'
import { logMissedNotification } from '../webhooks/steps/webhook-metrics.ts'
import { notifyOnCommit } from '../webhooks/store/outbox.ts'
import { buildApp } from './app.ts'
import { bookingDeps, dryRunDeps } from './booking-deps.ts'
import { createEngine } from './engine.ts'
import { openFacilitator } from './open-facilitator.ts'
import { openPayments } from './open-payments.ts'
import { openSealer } from './open-sealer.ts'
import { openWork, roomGauges, roomServices } from './parts.ts'
import { scheduledWorkflows } from './schedules.ts'
import { settingsOf } from './settings.ts'
import { termsOf } from './terms.ts'

/** How long a stopping process lets callers wait for a booking; they then get `pending`. */
const STOP_WAITING_MS = 20_000
/** How long a stopping process keeps open connections. */
const CUT_MS = 25_000

/**
 * Starts the doors. `stop` makes the process report not ready, keeps answering for `DRAIN_SECONDS`,
 * gives running calls 25 s and closes every connection. For `refusalDelayMs`, see `AppDeps`.
 */
export async function startApi(
  config: RunConfig,
  log: Log,
  instruments = createInstruments(),
  { refusalDelayMs }: { refusalDelayMs?: number } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  await requireFreePort(config.HOST, config.PORT)
  const publicUrl = publicUrlOf(config)
  const pools = openApiPools(config, log, instruments)
  const { db, statusDb } = pools
  const client = openEngine({ ...engineOf(config), interceptors: instruments.tracing.client })
  const stopping = new AbortController()
  const stopWaiting = new AbortController()
  await requireServing(db, config, log)
  const sealer = await openSealer(config, db)
  const engine: NetworkEngine = createEngine(client, {
    stopWaiting: stopWaiting.signal,
    decide: (start) => decideHere({ db, log, steps }, start),
  })
  const steps = bookingDeps(termsOf(config), engine, log)
  notifyOnCommit(db, createEndpointNotifier(engine, logMissedNotification(log)))
  const x402 = openFacilitator(config, db)
  const payments = await openPayments(config, { db, publicUrl, log })
  const services: NetworkServices = {
    ...roomServices({ db, stopping: stopping.signal }),
    db,
    engine,
    payments,
    billing: payments && createBilling(payments),
    dryRunDeps: dryRunDeps(termsOf(config)),
    timelineSigner: createTimelineSigner(timelineKeys(config)),
    egress: createEgress(subscriberPolicy(config), sealer),
    sendMail: createSendMail(config, db, log),
    settings: settingsOf(config, publicUrl),
    facilitator: x402?.facilitator,
  }
  await insertNetworkAgent(db, { publicUrl, at: new Date() })
  const app = await buildApp({
    config: { ...config, PUBLIC_URL: publicUrl },
    services,
    sealer,
    log,
    instruments,
    stopping: stopping.signal,
    statusDb,
    refusalDelayMs,
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  if (mailTransport(config) === 'devMailbox') {
    log.info({ address: devMailboxUrl(publicUrl, sealer) }, 'emails can be read at this address')
  }
  const hidden = [
    showQueues(instruments.metrics, client),
    showSchedules(instruments.metrics, client, scheduledWorkflows),
    showMissingWorkflows(instruments.metrics, openWork, { db: statusDb, engine }),
    showFailing(instruments.metrics, () => countFailingRows(statusDb)),
    ...roomGauges.map((show) => show(instruments.metrics, statusDb)),
  ]
  return {
    url: publicUrl,
    async stop() {
      stopping.abort()
      await setTimeout(config.DRAIN_SECONDS * 1000)
      const closing = new AbortController()
      const { signal } = closing
      const after = (ms: number, act: () => void) =>
        void setTimeout(ms, undefined, { signal }).then(act, () => {})
      after(STOP_WAITING_MS, () => stopWaiting.abort())
      after(CUT_MS, () => app.server.closeAllConnections())
      await app.close()
      closing.abort()
      for (const hide of hidden) hide()
      await x402?.close?.()
      await client.connection.close()
      await pools.close()
    },
  }
}

/** A call may wait for another call's lookup and then its own, but must be answered within 20 s. */
const STATEMENT_MS = 6_000
const STATUS_STATEMENT_MS = 1_000

/** An API's database connections: for calls, and for its status page. */
function openApiPools(config: RunConfig, log: Log, instruments: Instruments) {
  const { DATABASE_URL, DATABASE_POOL, DATABASE_WAITERS, DATABASE_POOLER: pooler } = config
  const onLost = (error: Error) => log.error({ err: error }, 'lost an idle database connection')
  const watch = watchStatements(instruments, 'api', DATABASE_WAITERS)
  const limits = { statementMs: STATEMENT_MS, pooler }
  const db = openPool(DATABASE_URL, DATABASE_POOL, onLost, watch, limits)
  const statusDb = openPool(DATABASE_URL, 1, onLost, undefined, {
    statementMs: STATUS_STATEMENT_MS,
    pooler,
  })
  const hide = showPool(instruments, 'api', db)
  return {
    db,
    statusDb,
    async close() {
      hide()
      await Promise.all([db.end(), statusDb.end()])
    },
  }
}
