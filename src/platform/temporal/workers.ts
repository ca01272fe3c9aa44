import { getCACertificates } from 'node:tls'
import { IllegalStateError } from '@temporalio/common'
import {
  DefaultLogger,
  NativeConnection,
  Runtime,
  type RuntimeOptions,
  type Worker,
} from '@temporalio/worker'
import { isLoopback } from '../http/public-address.ts'
import { type Log, loggable } from '../telemetry/log.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import { createSdkMetrics } from '../telemetry/sdk-metrics.ts'
import type { TemporalAccess } from './access.ts'

/** A warning from the SDK: workers without workflows are intentional here. */
const ACTIVITIES_ONLY = 'No workflows registered, not polling for workflow tasks'

/**
 * Node cuts small buffers from slabs of 64 kB. The SDK keeps each cached workflow's last message
 * and so its whole slab: 31 MB for a thousand workflows, but 4 MB with slabs of 8 kB.
 */
const SLAB_BYTES = 8_192

/** Installs the SDK's runtime, which ignores signals and uses our log and our metrics. */
export function installRuntime(log: Log, metrics: Metrics): void {
  Buffer.poolSize = SLAB_BYTES
  installOnce({
    shutdownSignals: [],
    telemetryOptions: {
      metrics: { buffer: createSdkMetrics(metrics) },
      // By default, Core itself prints coloured lines to the console.
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
    },
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      if (message === ACTIVITIES_ONLY) return
      const { error, ...rest } = meta ?? {}
      // Core reports errors as text.
      const fields = typeof error === 'string' ? { message: error } : loggable(error)
      const line = { temporal: rest, ...(error !== undefined && { error: fields }) }
      log[level === 'ERROR' ? 'error' : 'warn'](line, message)
    }),
  })
}

/** For tools and tests with workers of their own: the SDK logs only errors. */
export const installQuietRuntime = (): void => installOnce({ logger: new DefaultLogger('ERROR') })

/** A process has a single runtime until its last connection is closed. */
function installOnce(options: RuntimeOptions): void {
  try {
    Runtime.install(options)
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error
  }
}

/**
 * A connection for workers. It trusts the authorities of Node, because an image has no others. On a
 * single machine, compression would only cost both sides time.
 */
export function connectWorkers(address: string, { tls, ...access }: TemporalAccess = {}) {
  const given = tls === true ? {} : tls || undefined
  const serverRootCACertificate =
    given?.serverRootCACertificate ?? Buffer.from(getCACertificates().join('\n'))
  return NativeConnection.connect({
    address,
    ...access,
    ...(given && { tls: { ...given, serverRootCACertificate } }),
    ...(isLoopback(address.replace(/:\d+$/, '')) && { grpcCompression: { codec: 'none' } }),
  })
}

/** Running activities have 25 s to finish; they are then cancelled, and abandoned 3 s later. */
export const shutdownGrace = { shutdownGraceTime: '25s', shutdownForceTime: '28s' } as const

/** Runs workers together. `failed` rejects if one of them fails; `stop` waits for all. */
export function runWorkers(workers: Worker[]): { failed: Promise<never>; stop(): Promise<void> } {
  const running = workers.map((worker) => worker.run())
  const failed = new Promise<never>((_, fail) => {
    for (const run of running) run.catch(fail)
  })
  failed.catch(() => {})
  return {
    failed,
    async stop() {
      for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown()
      await Promise.allSettled(running)
    },
  }
}
