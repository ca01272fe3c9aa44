import { setTimeout } from 'node:timers/promises'
import { insertNetworkAgent } from '../agents/store/agents.ts'
import { createFeed } from '../agents/store/feed-watch.ts'
import { READING_LATE_MS } from '../availability/rules/mirror.ts'
import type { LocalWorker } from '../bookings/steps/booking-answers.ts'
import { showOverdue } from '../bookings/steps/booking-metrics.ts'
import { createTimelineSigner } from '../bookings/steps/timeline-signer.ts'
import { countStuckBookings } from '../bookings/store/stuck-bookings.ts'
import { engineOf, publicUrlOf, type RunConfig } from '../config/config.ts'
import { unknownProxy } from '../config/unsafe-settings.ts'
import { showReadings } from '../confirmation/steps/venue-metrics.ts'
import { countReadings } from '../confirmation/store/connectors.ts'
import { timelineKeys } from '../local/key-files.ts'
import { createBilling } from '../payments/hooks.ts'
import { countFailingRows } from '../platform/database/failing-rows.ts'
import { requireServing } from '../platform/database/usable.ts'
import { createEgress } from '../platform/http/egress.ts'
import { subscriberPolicy } from '../platform/http/target.ts'
import { devMailboxUrl } from '../platform/mail/dev-mailbox.ts'
import { createSendMail, mailTransport } from '../platform/mail/send-mail.ts'
import { createInstruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { showMissingWorkflows } from '../platform/telemetry/missing-workflows.ts'
import { showFailing } from '../platform/telemetry/pass-metrics.ts'
import { showQueues } from '../platform/telemetry/queue-metrics.ts'
import { showSchedules } from '../platform/telemetry/schedule-metrics.ts'
import { openEngine } from '../platform/temporal/connect.ts'
import { cachedLexicon } from '../venues/search/lexicon.ts'
import { createEndpointNotifier } from '../webhooks/hooks.ts'
import { logMissedNotification, showDeliveries } from '../webhooks/steps/webhook-metrics.ts'
import { createAwaitEvents } from '../webhooks/store/await-events.ts'
import { notifyOnCommit } from '../webhooks/store/outbox.ts'
import { openApiPools } from './api-pools.ts'
import { buildApp } from './app.ts'
import { dryRunDeps, termsOf } from './booking-deps.ts'
import { createEngine } from './engine.ts'
import { openFacilitator } from './open-facilitator.ts'
import { openPayments } from './open-payments.ts'
import { openSealer } from './open-sealer.ts'
import { openWork } from './open-work.ts'
import { scheduledWorkflows } from './schedules.ts'
import { settingsOf } from './settings.ts'

const LEXICON_TTL_MS = 60_000
/** Callers still waiting for a booking then get `pending`. */
const STOP_WAITING_MS = 20_000
/** Then open connections are cut. */
const CUT_MS = 25_000

/**
 * Starts the doors. `stop` makes the process not ready, answers for another `DRAIN_SECONDS`, gives
 * running calls 25 s and closes every connection. `local` is the worker of bookings in
 * this process; `refusalDelayMs` as in `AppDeps`.
 */
export async function startApi(
  config: RunConfig,
  log: Log,
  instruments = createInstruments(),
  { local, refusalDelayMs }: { local?: LocalWorker; refusalDelayMs?: number } = {},
): Promise<{ url: string; stop(): Promise<void> }> {
  const publicUrl = publicUrlOf(config)
  const fault = unknownProxy(config)
  if (fault) throw new Error(fault)
  const pools = openApiPools(config, log, instruments)
  const { db, statusDb, replica } = pools
  const client = openEngine({ ...engineOf(config), interceptors: instruments.tracing.client })
  const stopping = new AbortController()
  const stopWaiting = new AbortController()
  await requireServing(db, config, log)
  const sealer = await openSealer(config, db)
  const engine = createEngine(client, { stopWaiting: stopWaiting.signal, local })
  notifyOnCommit(db, createEndpointNotifier(engine, logMissedNotification(log)))
  const x402 = openFacilitator(config, db)
  const payments = await openPayments(config, { db, publicUrl, log })
  const services = {
    db,
    engine,
    payments,
    billing: payments && createBilling(payments),
    lexicon: cachedLexicon(db, LEXICON_TTL_MS),
    dryRunDeps: dryRunDeps(termsOf(config)),
    timelineSigner: createTimelineSigner(timelineKeys(config)),
    egress: createEgress(subscriberPolicy(config), sealer),
    awaitEvents: createAwaitEvents(db, stopping.signal),
    feed: createFeed(db, stopping.signal),
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
    replica,
    refusalDelayMs,
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  if (mailTransport(config) === 'devMailbox') {
    log.info({ address: devMailboxUrl(publicUrl, sealer) }, 'mails can be read at this address')
  }
  const hidden = [
    showQueues(instruments.metrics, client),
    showSchedules(instruments.metrics, client, scheduledWorkflows),
    showOverdue(instruments.metrics, () => countStuckBookings(statusDb, new Date())),
    showMissingWorkflows(instruments.metrics, openWork, { db: statusDb, engine }),
    showDeliveries(instruments.metrics, statusDb),
    showFailing(instruments.metrics, () => countFailingRows(statusDb)),
    showReadings(instruments.metrics, () =>
      countReadings(statusDb, new Date(Date.now() - READING_LATE_MS)),
    ),
  ]
  return {
    url: publicUrl,
    async stop() {
      stopping.abort()
      await setTimeout(config.DRAIN_SECONDS * 1000)
      const closed = new AbortController()
      const { signal } = closed
      const after = (ms: number, act: () => void) =>
        void setTimeout(ms, undefined, { signal }).then(act, () => {})
      after(STOP_WAITING_MS, () => stopWaiting.abort())
      after(CUT_MS, () => app.server.closeAllConnections())
      await app.close()
      closed.abort()
      for (const hide of hidden) hide()
      await x402?.close?.()
      await client.connection.close()
      await pools.close()
    },
  }
}
