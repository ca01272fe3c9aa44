import { MetricsBuffer } from '@temporalio/worker'
import { Counter, Gauge, Histogram } from 'prom-client'
import type { Metrics } from './metrics.ts'

const DRAIN_MS = 1_000
const MOST_UPDATES = 100_000
const buckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]

/** What is shown of the Temporal SDK's own figures, with which of its labels. */
const shown = {
  temporal_worker_task_slots_available: ['task_queue', 'worker_type'],
  temporal_worker_task_slots_used: ['task_queue', 'worker_type'],
  temporal_num_pollers: ['task_queue', 'poller_type'],
  temporal_sticky_cache_size: ['task_queue'],
  temporal_workflow_task_schedule_to_start_latency: ['task_queue'],
  temporal_workflow_task_execution_latency: ['task_queue'],
  temporal_workflow_task_execution_failed: ['task_queue', 'failure_reason'],
  temporal_activity_schedule_to_start_latency: ['task_queue'],
  temporal_activity_execution_failed: ['task_queue', 'activity_type'],
  temporal_local_activity_execution_failed: ['task_queue', 'activity_type'],
  temporal_request_failure: ['operation', 'status_code'],
  temporal_long_request_failure: ['operation', 'status_code'],
} as const

type Take = (labels: Record<string, string>, value: number) => void

/** A buffer for the SDK's runtime whose figures come out at `/metrics`; read every second, as it holds only so much. */
export function createSdkMetrics(metrics: Metrics): MetricsBuffer {
  const buffer = new MetricsBuffer({ maxBufferSize: MOST_UPDATES, useSecondsForDurations: true })
  const takers = new Map<string, Take>()

  const drain = () => {
    for (const { metric, value, attributes } of buffer.retrieveUpdates()) {
      const labels = shown[metric.name as keyof typeof shown]
      if (!labels) continue
      const take = takers.get(metric.name) ?? createTaker(metrics, metric, labels)
      takers.set(metric.name, take)
      take(
        Object.fromEntries(labels.map((label) => [label, String(attributes[label] ?? '')])),
        value,
      )
    }
  }
  setInterval(drain, DRAIN_MS).unref()
  metrics.beforeScrape(drain)
  return buffer
}

function createTaker(
  { registry }: Metrics,
  { name, kind, description = '' }: { name: string; kind: string; description?: string },
  labels: readonly string[],
): Take {
  const base = { help: description || name, labelNames: [...labels], registers: [registry] }
  if (kind === 'counter') {
    const counter = new Counter({ ...base, name: `${name}_total` })
    return (at, value) => counter.inc(at, value)
  }
  if (kind === 'histogram') {
    const histogram = new Histogram({ ...base, name: `${name}_seconds`, buckets })
    return (at, value) => histogram.observe(at, value)
  }
  const gauge = new Gauge({ ...base, name })
  return (at, value) => gauge.set(at, value)
}
