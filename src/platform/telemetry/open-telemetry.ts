import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { Resource } from '@opentelemetry/resources'
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base'
import {
  makeWorkflowExporter,
  OpenTelemetryActivityInboundInterceptor,
  OpenTelemetryWorkflowClientInterceptor,
} from '@temporalio/interceptors-opentelemetry'
import type { InjectedSinks } from '@temporalio/worker'
import type { Attributes, Tracing } from './tracing.ts'

const STOP_WITHIN_MS = 5_000

type TracingOptions = {
  /** URL of an OTLP/HTTP collector, without `/v1/traces` */
  endpoint: string
  serviceName: string
  /** sampling ratio, 0 to 1 */
  share: number
  /** whether a caller's `traceparent` may determine the trace id and sampling */
  trustCallers: boolean
}

/** Sends traces to the collector in batches. Call it once per process. */
export function openTracing(options: TracingOptions): Tracing {
  const resource = new Resource({ 'service.name': options.serviceName })
  const exporter = new OTLPTraceExporter({ url: new URL('/v1/traces', options.endpoint).href })
  const processor = new BatchSpanProcessor(exporter)
  const provider = new BasicTracerProvider({
    resource,
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.share) }),
    spanProcessors: [processor],
  })
  provider.register({
    contextManager: new AsyncLocalStorageContextManager().enable(),
    propagator: new W3CTraceContextPropagator(),
  })
  const tracer = provider.getTracer('venue-network')
  const run = <T>(
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    parent: Context,
    work: () => Promise<T>,
  ) => tracer.startActiveSpan(name, { kind, attributes }, parent, (span) => endWith(span, work))

  return {
    on: true,
    span: (name, attributes, work) =>
      run(name, SpanKind.CLIENT, attributes, context.active(), work),
    call(name, traceparent, work) {
      const carrier = options.trustCallers && traceparent ? { traceparent } : {}
      const parent = propagation.extract(ROOT_CONTEXT, carrier)
      return run(name, SpanKind.SERVER, {}, parent, work)
    },
    note: (attributes) => void trace.getActiveSpan()?.setAttributes(attributes),
    ids() {
      const ids = trace.getActiveSpan()?.spanContext()
      return ids ? { trace_id: ids.traceId, span_id: ids.spanId } : {}
    },
    client: { workflow: [new OpenTelemetryWorkflowClientInterceptor()] },
    worker: {
      activity: [(ctx) => ({ inbound: new OpenTelemetryActivityInboundInterceptor(ctx) })],
      sinks: { exporter: makeWorkflowExporter(processor, resource) } as InjectedSinks<never>,
    },
    async stop() {
      const late = new Promise((resolve) => setTimeout(resolve, STOP_WITHIN_MS).unref())
      await Promise.race([provider.shutdown().catch(() => {}), late])
    },
  }
}

async function endWith<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    span.setStatus({ code: SpanStatusCode.ERROR })
    if (error instanceof Error) span.recordException(error)
    throw error
  } finally {
    span.end()
  }
}
