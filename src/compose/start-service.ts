import { engineOf, type RunConfig } from '../config/config.ts'
import { withProgress } from '../local/progress.ts'
import type { Instruments } from '../platform/telemetry/instruments.ts'
import type { Log } from '../platform/telemetry/log.ts'
import { setUpTemporal } from './set-up-temporal.ts'
import { startApi } from './start-api.ts'
import { startWorker } from './start-worker.ts'

/** Runs the worker and the doors in one process. `failed` rejects if the worker stops by itself. */
export async function startService(
  config: RunConfig,
  log: Log,
  instruments: Instruments,
): Promise<{ url: string; failed: Promise<never>; stop(): Promise<void> }> {
  const preparing = setUpTemporal(engineOf(config))
  await withProgress('Preparing the namespace', preparing)
  await using parts = new AsyncDisposableStack()
  const worker = await withProgress('Starting the worker', startWorker(config, log, instruments))
  parts.defer(worker.stop)
  const api = await withProgress('Opening the doors', startApi(config, log, instruments))
  parts.defer(api.stop)
  const started = parts.move()
  return { url: api.url, failed: worker.failed, stop: () => started.disposeAsync() }
}
