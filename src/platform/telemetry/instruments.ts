import { createMetrics, type Metrics } from './metrics.ts'
import { noTracing, type Tracing } from './tracing.ts'

/** Shared by all parts of a process. */
export type Instruments = { metrics: Metrics; tracing: Tracing }

export const createInstruments = (): Instruments => ({
  metrics: createMetrics(),
  tracing: noTracing,
})

type TracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined
  OTEL_SERVICE_NAME: string
  OTEL_TRACES_SAMPLER_ARG: number
  TRUST_TRACEPARENT: boolean
}

/** Loads OpenTelemetry only if a collector is configured. */
export async function openInstruments(config: TracingVariables): Promise<Instruments> {
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
