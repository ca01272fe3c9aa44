import type { Config } from '../../config/config.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** Shared by all parts of a process. */
export type Instruments = { metrics: Metrics; tracing: Tracing }

export const createInstruments = (): Instruments => ({
  metrics: createMetrics(),
  tracing: noTracing,
})

/** Loads OpenTelemetry only if a collector is configured. */
export async function openInstruments(config: Config): Promise<Instruments> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  if (!endpoint) return createInstruments()
  const { openTracing } = await import('./open-telemetry.ts')
  const tracing = openTracing({
    endpoint,
    serviceName: config.OTEL_SERVICE_NAME,
    share: config.OTEL_TRACES_SAMPLER_ARG,
    trustCallers: config.TRUST_TRACEPARENT,
  })
  return { metrics: createMetrics(), tracing }
}
