import { DefaultLogger, Runtime } from '@temporalio/worker'
import type { Log } from '../telemetry/log.ts'
import { loggable } from '../telemetry/loggable.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createSdkMetrics } from '../telemetry/sdk-metrics.ts'

/** The SDK warns of what the worker of the calls to venues is meant to be. */
const ACTIVITIES_ONLY = 'No workflows registered, not polling for workflow tasks'

let installed = false

/**
 * Once per process, with the log and metrics of the first who asks: signals are handled in one place, by whoever composed the
 * process, and the SDK's warnings and figures join ours.
 */
export function installRuntime(log: Log, metrics: Metrics): void {
  if (installed) return
  installed = true
  Runtime.install({
    shutdownSignals: [],
    telemetryOptions: { metrics: { buffer: createSdkMetrics(metrics) } },
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === ACTIVITIES_ONLY) return
      const { error, ...rest } = meta ?? {}
      const line = { temporal: rest, ...(error !== undefined && { error: loggable(error) }) }
      log[level === 'ERROR' ? 'error' : 'warn'](line, message)
    }),
  })
}
