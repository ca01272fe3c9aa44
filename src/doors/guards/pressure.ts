import { monitorEventLoopDelay } from 'node:perf_hooks'
import { getHeapStatistics } from 'node:v8'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const MB = 2 ** 20
/** Above this share of its heap limit, V8 spends its time collecting garbage. */
const HEAP_SHARE = 0.9
const RETRY_AFTER_SECONDS = 2
const MEASURE_MS = 1_000
/** Interval between event loop probes. Each probe wakes an idle process. */
const PROBE_MS = 100

/** Throws `overloaded` beyond a limit, measured once a second. Not used by health and metrics. */
export function createAdmit(
  app: FastifyInstance,
  limits: Pick<Config, 'MAX_EVENT_LOOP_DELAY_MS' | 'MAX_HEAP_MB' | 'MAX_RSS_MB'>,
  metrics: Metrics,
) {
  const maxHeap = limits.MAX_HEAP_MB
    ? limits.MAX_HEAP_MB * MB
    : HEAP_SHARE * getHeapStatistics().heap_size_limit
  const maxRss = limits.MAX_RSS_MB ? limits.MAX_RSS_MB * MB : Number.POSITIVE_INFINITY
  const measured = measureProcess(app)

  const exceededLimit = () => {
    const { delayMs, heap, rss } = measured()
    if (delayMs > limits.MAX_EVENT_LOOP_DELAY_MS) return 'event_loop'
    if (heap > maxHeap) return 'heap'
    return rss > maxRss ? 'rss' : undefined
  }
  return (): void => {
    const reason = exceededLimit()
    if (!reason) return
    metrics.overloads.inc({ reason })
    throw refuse('overloaded', undefined, { retry_after: RETRY_AFTER_SECONDS })
  }
}

/** The mean event loop delay over the last second, and the memory in use at its end. */
function measureProcess(app: FastifyInstance) {
  const probes = monitorEventLoopDelay({ resolution: PROBE_MS })
  probes.enable()
  const measure = () => {
    const { heapUsed: heap, rss } = process.memoryUsage()
    // NaN if there was no probe, for example after the machine has slept; NaN exceeds no limit.
    const delayMs = probes.mean / 1e6 - PROBE_MS
    probes.reset()
    return { delayMs, heap, rss }
  }
  let latest = measure()
  const timer = setInterval(() => {
    latest = measure()
  }, MEASURE_MS).unref()
  app.addHook('onClose', async () => {
    clearInterval(timer)
    probes.disable()
  })
  return () => latest
}
