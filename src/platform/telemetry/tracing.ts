import type { ClientInterceptors } from '@temporalio/client'
import type { ActivityInterceptorsFactory, InjectedSinks } from '@temporalio/worker'

/** Values must never come from a request's body. */
export type Attributes = Record<string, string | number | boolean>

export type Tracing = {
  on: boolean
  /** Runs `work` in a child span, which records any error. */
  span<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>
  /** Runs `work` in a server span; its parent is `traceparent` if callers are trusted. */
  call<T>(name: string, traceparent: string | undefined, work: () => Promise<T>): Promise<T>
  /** Adds attributes to the active span. */
  note(attributes: Attributes): void
  /** Inside a span: `trace_id` and `span_id` for log lines. */
  ids(): Record<string, string>
  /** Carries traces through Temporal. */
  client: ClientInterceptors
  worker: { activity: ActivityInterceptorsFactory[]; sinks: InjectedSinks<never> }
  /** Flushes for at most 5 s. */
  stop(): Promise<void>
}

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
