import type { Config } from '../../config.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** What a process measures itself with; its parts share one set. */
export type Instruments = { metrics: Metrics; tracing: Tracing }

/** Instruments without traces. */
export const createInstruments = (): Instruments => ({
  metrics: createMetrics(),
  tracing: noTracing,
})

/** The instruments that the configuration asks for. OpenTelemetry is loaded only where there is somewhere to send traces. */
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
