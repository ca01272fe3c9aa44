import { join } from 'node:path'
import { stopRequested } from './compose/run-process.ts'
import { publicUrlOf, readStartConfig } from './config/config.ts'
import { holdDataFolder } from './local/data-folder.ts'
import { prepareDatabase, withoutChannelIn } from './local/database.ts'
import { createKeeper } from './local/kept-server.ts'
import { secretsKeys } from './local/key-files.ts'
import { openDatabase, openTemporal } from './local/local-servers.ts'
import { openServiceLog } from './local/log-files.ts'
import { requireFreePort } from './local/ports.ts'
import { readyText } from './local/ready-text.ts'
import { simulateVenues } from './local/simulator.ts'
import { readStartOptions } from './local/start-options.ts'
import { startWatchedService } from './local/watched-service.ts'
import { standInForWhatsApp } from './local/whatsapp/start.ts'
import { devMailboxUrl } from './platform/mail/dev-mailbox.ts'
import { mailTransport } from './platform/mail/send-mail.ts'
import { createSealer } from './platform/sealing/sealing.ts'
import { openInstruments } from './platform/telemetry/instruments.ts'
import type { Log } from './platform/telemetry/log.ts'
import { serveMetrics } from './platform/telemetry/metrics-server.ts'
import { workflowBundle } from './platform/temporal/workflow-bundle.ts'

/** Longer than doors, worker and servers together take to stop while something runs in each. */
const STOP_WITHIN_MS = 65_000

/** `npm run dev`: the service restarts with every change; its servers keep running. */
const { watch: watching } = readStartOptions()

let log: Log | undefined
const { keep, isRecovering } = createKeeper(() => log)
let drainMs = 0
const parts = new AsyncDisposableStack()
const crashed = new Promise<never>((_, fail) => process.on('uncaughtException', fail))
// A terminal that has gone away must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

try {
  await Promise.race([stopRequested(), crashed, run()])
  console.log('\nStopping …')
} catch (error) {
  log?.fatal({ err: error }, 'stopping')
  console.error((error as Error).message)
  process.exitCode = 1
}
setTimeout(() => process.exit(1), drainMs + STOP_WITHIN_MS).unref()
await parts.disposeAsync().catch((err: unknown) => log?.error({ err }, 'a part did not stop well'))
process.exit()

/** Stops a part that is being started, before the parts that it needs. */
function stopLater(starting: Promise<{ stop?(): Promise<void> } | undefined>): void {
  const service = starting.catch(() => undefined)
  parts.defer(async () => (await service)?.stop?.())
}

/** Starts all parts; rejects when one of them fails. */
async function run(): Promise<never> {
  const config = readStartConfig()
  drainMs = config.DRAIN_SECONDS * 1000
  await requireFreePort(config.HOST, config.PORT)
  const folder = holdDataFolder(config.DATA_DIR)
  parts.defer(folder.release)
  const logFile = join(folder.path, 'service.log')
  const instruments = await openInstruments(config)
  parts.defer(instruments.tracing.stop)
  log = openServiceLog(logFile, config.LOG_LEVEL, instruments.tracing.ids, isRecovering)
  if (config.METRICS_PORT && !watching) {
    const at = { host: config.METRICS_HOST, port: config.METRICS_PORT }
    parts.defer((await serveMetrics(instruments.metrics, at)).stop)
  }

  // Both take as long as the start of the servers. Loading ends before the first query, because it
  // can block this process for longer than the answer to a query may take.
  const loading = import('./compose/start-service.ts')
  const bundling = workflowBundle(folder.path, instruments.tracing.on)
  const startingDatabase = openDatabase(config, folder, keep)
  stopLater(startingDatabase)
  const startingTemporal = openTemporal(config, folder, keep)
  stopLater(startingTemporal)
  const database = await startingDatabase
  const { startService } = await loading
  await prepareDatabase(database.url, config.DEMO)
  folder.update({ databaseUrl: database.url, publicUrl: publicUrlOf(config) })

  const phones = await standInForWhatsApp(config, folder)
  if (phones) parts.defer(phones.stop)
  const hasPhones = phones !== undefined
  const simulating = simulateVenues(config, folder, database.url, { keep, log, hasPhones })
  stopLater(simulating)
  const [temporal] = await Promise.all([startingTemporal, bundling])
  const runConfig = {
    ...config,
    ...phones?.settings,
    DATABASE_URL: database.url,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_UI_URL: temporal.uiUrl,
  }
  const service = watching
    ? await startWatchedService(runConfig, folder, logFile)
    : await startService(runConfig, log, instruments)
  parts.defer(service.stop)

  const simulator = await simulating
  const withoutChannel = await withoutChannelIn(database.url)
  const sealer = createSealer(secretsKeys({ ...config, DATA_DIR: folder.path }))
  const text = readyText({
    url: service.url,
    mailbox:
      mailTransport(config) === 'devMailbox' ? devMailboxUrl(service.url, sealer) : undefined,
    phones: phones?.phoneUrl,
    temporalUi: temporal.uiBookings,
    temporal: temporal.command,
    dataDir: folder.path,
    logFile,
    withoutChannel,
    simulator,
  })
  console.log(text)

  const endings = [service.failed, database.ended, temporal.ended].filter(Boolean)
  throw new Error(`${await Promise.race(endings)}. See ${folder.path}`)
}
