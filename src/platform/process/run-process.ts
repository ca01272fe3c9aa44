import { type RunConfig, readRunConfig } from '../../config.ts'
import { type Instruments, openInstruments } from '../telemetry/instruments.ts'
import { createLog, type Log } from '../telemetry/log.ts'
import { serveMetrics } from '../telemetry/metrics-server.ts'
import { stopRequested } from './stop-signals.ts'

/** A part of the service that runs; `failed` rejects when it stops by itself. */
export type Running = { failed?: Promise<never>; stop(): Promise<void> }

export type Start = (config: RunConfig, log: Log, instruments: Instruments) => Promise<Running>

/** Longer than the doors and a worker need to stop in order. */
const STOP_WITHIN_MS = 35_000

/**
 * Runs one part of the service as a process of its own until a signal ends it: in order, with exit code 0; a second signal
 * ends it at once. A start that fails is one sentence on stderr and exit code 1.
 */
export async function runProcess(ready: string, start: Start): Promise<void> {
  const crashed = new Promise<never>((_, fail) => process.on('uncaughtException', fail))
  const stop = stopRequested()
  try {
    const config = readRunConfig()
    const instruments = await openInstruments(config)
    const log = createLog(config.LOG_LEVEL, undefined, instruments.tracing.ids)
    await using parts = new AsyncDisposableStack()
    parts.defer(instruments.tracing.stop)
    if (config.METRICS_PORT) {
      const at = { host: config.HOST, port: config.METRICS_PORT }
      parts.defer((await serveMetrics(instruments.metrics, at)).stop)
    }
    const running = await Promise.race([start(config, log, instruments), crashed])
    parts.defer(running.stop)
    log.info(ready)
    try {
      const signal = await Promise.race([stop, crashed, running.failed ?? crashed])
      log.info({ signal }, 'stopping')
    } catch (error) {
      log.error({ err: error }, 'stopping after a failure')
      process.exitCode = 1
    }
    setTimeout(() => process.exit(1), config.DRAIN_SECONDS * 1000 + STOP_WITHIN_MS).unref()
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = 1
  }
  process.exit()
}
