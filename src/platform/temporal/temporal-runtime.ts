import { IllegalStateError } from '@temporalio/common'
import { DefaultLogger, Runtime, type RuntimeOptions } from '@temporalio/worker'
import type { Log } from '../telemetry/log.ts'
import { loggable } from '../telemetry/loggable.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createSdkMetrics } from '../telemetry/sdk-metrics.ts'

/** The SDK warns of what the worker of the calls to venues is meant to be. */
const ACTIVITIES_ONLY = 'No workflows registered, not polling for workflow tasks'

/**
 * Installs the runtime of a process of the service: signals are handled in one place, by whoever
 * composed the process, and the SDK's warnings and figures join ours.
 */
export const installRuntime = (log: Log, metrics: Metrics): void =>
  installOnce({
    shutdownSignals: [],
    telemetryOptions: { metrics: { buffer: createSdkMetrics(metrics) } },
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === ACTIVITIES_ONLY) return
      const { error, ...rest } = meta ?? {}
      const line = { temporal: rest, ...(error !== undefined && { error: loggable(error) }) }
      log[level === 'ERROR' ? 'error' : 'warn'](line, message)
    }),
  })

/** For tools and tests that run workers of their own: the SDK logs errors only. */
export const installQuietRuntime = (): void => installOnce({ logger: new DefaultLogger('ERROR') })

/** A process has one runtime: the first stays until its last connection is closed. */
function installOnce(options: RuntimeOptions): void {
  try {
    Runtime.install(options)
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}
