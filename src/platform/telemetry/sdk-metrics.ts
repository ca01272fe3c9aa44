import { MetricsBuffer } from '@temporalio/worker'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'

const DRAIN_MS = 1_000
/** Ten times what 60 bookings a second produce. The buffer takes 168 bytes per value in advance. */
const MAX_UPDATES = 20_000
const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

type Kind = 'counter' | 'gauge' | 'histogram'

const failedTask = ['task_queue', 'workflow_type', 'failure_reason']
const localActivity = ['task_queue', 'activity_type']

/** The Temporal SDK's metrics that we export, and their labels. */
const sdkMetrics: [name: string, kind: Kind, help: string, ...labels: string[]][] = [
  ['worker_task_slots_available', 'gauge', 'Free places of workers', 'task_queue', 'worker_type'],
  ['worker_task_slots_used', 'gauge', 'Taken places of workers', 'task_queue', 'worker_type'],
  ['num_pollers', 'gauge', 'Open polls for tasks', 'task_queue', 'poller_type'],
  ['sticky_cache_size', 'gauge', 'Workflows kept in memory', 'task_queue'],
  ['workflow_task_schedule_to_start_latency', 'histogram', 'Wait for a worker', 'task_queue'],
  ['workflow_task_execution_latency', 'histogram', 'Time of a workflow task', 'task_queue'],
  ['sticky_cache_miss', 'counter', 'Tasks that had to be replayed', 'task_queue'],
  ['sticky_cache_total_forced_eviction', 'counter', 'Workflows that had no room', 'task_queue'],
  ['workflow_task_execution_failed', 'counter', 'Failed workflow tasks', ...failedTask],
  ['local_activity_execution_latency', 'histogram', 'Local activities', ...localActivity],
  ['local_activity_execution_failed', 'counter', 'Failed local activities', ...localActivity],
  ['activity_schedule_to_start_latency', 'histogram', 'Wait for a worker', 'task_queue'],
  ['request_failure', 'counter', 'Failed requests to the server', 'operation', 'status_code'],
  ['request_latency', 'histogram', 'Requests to the server', 'operation'],
  ['long_request_failure', 'counter', 'Failed polls of the server', 'operation', 'status_code'],
  ['long_request_latency', 'histogram', 'Polls of the server', 'operation'],
]

type Take = (labels: Record<string, string>, value: number) => void

/** A buffer for the SDK, emptied into our registry every second because its size is limited. */
export function createSdkMetrics(metrics: Metrics): MetricsBuffer {
  const buffer = new MetricsBuffer({ maxBufferSize: MAX_UPDATES, useSecondsForDurations: true })
  const takers = new Map(
    sdkMetrics.map(([name, kind, help, ...labels]) => {
      const take = createTaker(metrics, kind, nameOf(name, kind), help, labels)
      return [`temporal_${name}`, { labels, take }]
    }),
  )
  const drain = () => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      const taker = takers.get(metric.name)
      if (!taker) continue
      const labels = taker.labels.map((label) => [label, String(attributes[label] ?? '')])
      taker.take(Object.fromEntries(labels), value)
    }
  }
  setInterval(drain, DRAIN_MS).unref()
  metrics.beforeScrape(drain)
  return buffer
}

/** The exported names of the SDK's metrics, for tests of alert rules and dashboards. */
export const sdkMetricNames = (): string[] => sdkMetrics.map(([name, kind]) => nameOf(name, kind))

const suffixes: Record<Kind, string> = { counter: '_total', histogram: '_seconds', gauge: '' }
const nameOf = (name: string, kind: Kind) => `temporal_${name}${suffixes[kind]}`

function createTaker(
  { registry }: Metrics,
  kind: Kind,
  name: string,
  help: string,
  labelNames: string[],
): Take {
  const registers = [registry]
  if (kind === 'counter') {
    const counter = new Counter({ name, help, labelNames, registers })
    return (labels, value) => counter.inc(labels, value)
  }
  if (kind === 'histogram') {
    const histogram = new Histogram({ name, help, labelNames, buckets, registers })
    return (labels, value) => histogram.observe(labels, value)
  }
  const gauge = new Gauge({ name, help, labelNames, registers })
  return (labels, value) => gauge.set(labels, value)
}
