import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'

/** `code` is `ok` or a code of the error catalogue. */
export type CallLabels = { door: string; operation: string; code: string }

/** What a process shows at `/metrics`, in the Prometheus text format. */
export type Metrics = {
  registry: Registry
  observeCall(labels: CallLabels, seconds: number): void
}

/** One registry per process, so that tests can build several. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const calls = new Histogram({
    name: 'http_call_duration_seconds',
    help: 'Time from the request to the answer of an operation, by door, operation and code',
    labelNames: ['door', 'operation', 'code'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
    registers: [registry],
  })
  return {
    registry,
    observeCall(labels, seconds) {
      calls.observe(labels, seconds)
    },
  }
}
