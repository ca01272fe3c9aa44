import { type RunConfig, readRunConfig } from '../config/config.ts'
import { type Instruments, openInstruments } from '../platform/telemetry/instruments.ts'
import { createLog, type Log } from '../platform/telemetry/log.ts'
import { serveMetrics } from '../platform/telemetry/metrics-server.ts'

/** `failed` rejects if the part stops by itself. */
export type Running = { failed?: Promise<never>; stop(): Promise<void> }

type Start = (config: RunConfig, log: Log, instruments: Instruments) => Promise<Running>

/** Longer than the doors and a worker need for an orderly stop. */
const STOP_WITHIN_MS = 35_000
/** npm repeats the signal that the terminal has sent to the group, so one Ctrl-C arrives twice. */
const SAME_PRESS_MS = 500

/** Resolves on SIGINT, SIGTERM or SIGHUP; a second signal ends the process immediately. */
export function stopRequested(): Promise<NodeJS.Signals> {
  let since: number | undefined
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        since ??= performance.now()
        if (performance.now() - since > SAME_PRESS_MS) process.exit(1)
        stop(signal)
      })
    }
  })
}

/**
 * Runs a part of the service as a process until a signal asks it to stop. A failed start prints one
 * line to stderr and exits with 1.
 */
export async function runProcess(ready: string, start: Start, read = readRunConfig): Promise<void> {
  const crashed = new Promise<never>((_, fail) => process.on('uncaughtException', fail))
  const stop = stopRequested()
  let isReady = false
  try {
    const config = read()
    const instruments = await openInstruments(config)
    const log = createLog(config.LOG_LEVEL, undefined, instruments.tracing.ids)
    await using parts = new AsyncDisposableStack()
    parts.defer(instruments.tracing.stop)
    if (config.METRICS_PORT) {
      const at = { host: config.METRICS_HOST, port: config.METRICS_PORT }
      parts.defer((await serveMetrics(instruments.metrics, at, () => isReady)).stop)
    }
    const running = await Promise.race([start(config, log, instruments), crashed])
    parts.defer(running.stop)
    log.info(ready)
    isReady = true
    try {
      const signal = await Promise.race([stop, crashed, running.failed ?? crashed])
      log.info({ signal }, 'stopping')
      isReady = false
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
