import type { ClientInterceptors } from '@temporalio/client'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'

/** What a span says about itself; values never come from a request's body. */
export type Attributes = Record<string, string | number | boolean>

/** Traces of a process: real ones of `open-telemetry.ts`, or none at no cost. */
export type Tracing = {
  on: boolean
  /** Runs `work` inside a span below the one that runs now; an error is noted on the span and thrown on. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** Runs `work` inside the span of a call; `traceparent` of the caller is its parent if callers are trusted. */
  call<T>(name: string, traceparent: string | undefined, work: () => Promise<T>): Promise<T>
  /** Adds to the span that runs now. */
  note(attributes: Attributes): void
  /** `trace_id` and `span_id` for log lines, inside a span. */
  ids(): Record<string, string>
  /** What a Temporal client and a worker need to carry the trace on. */
  client: ClientInterceptors
  worker: { activity: ActivityInterceptorsFactory[]; sinks: InjectedSinks<never> }
  /** Sends what has not been sent, for at most 5 s. */
  stop(): Promise<void>
}

/** No traces: everything runs as it is. */
export const noTracing: Tracing = {
  on: false,
  span: (_name, _attributes, work) => work(),
  call: (_name, _traceparent, work) => work(),
  note() {},
  ids: () => ({}),
  client: {},
  worker: { activity: [], sinks: {} as InjectedSinks<never> },
  async stop() {},
}
