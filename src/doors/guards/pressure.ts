import { getHeapStatistics } from 'node:v8'
import underPressure from '@fastify/under-pressure'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Metrics } from '../../platform/telemetry/metrics.ts'

const MB = 2 ** 20
/** Above this share of its limit, V8 spends its time collecting garbage. */
const HEAP_SHARE = 0.9
const RETRY_AFTER_SECONDS = 2

/** Throws `overloaded` beyond a limit, measured once a second; health and metrics never do. */
export async function createAdmit(
  app: FastifyInstance,
  limits: Pick<Config, 'MAX_EVENT_LOOP_DELAY_MS' | 'MAX_HEAP_MB' | 'MAX_RSS_MB'>,
  metrics: Metrics,
) {
  const maxHeap = limits.MAX_HEAP_MB
    ? limits.MAX_HEAP_MB * MB
    : HEAP_SHARE * getHeapStatistics().heap_size_limit
  const maxRss = limits.MAX_RSS_MB ? limits.MAX_RSS_MB * MB : Number.POSITIVE_INFINITY
  await app.register(underPressure, { pressureHandler: () => {} })

  const exceededLimit = () => {
    const { eventLoopDelay, heapUsed, rssBytes } = app.memoryUsage()
    // Infinity is a second without a measurement, as when the machine slept.
    const isLate = eventLoopDelay > limits.MAX_EVENT_LOOP_DELAY_MS
    if (isLate && Number.isFinite(eventLoopDelay)) return 'event_loop'
    if (heapUsed > maxHeap) return 'heap'
    return rssBytes > maxRss ? 'rss' : undefined
  }
  return (): void => {
    const reason = exceededLimit()
    if (!reason) return
    metrics.overloads.inc({ reason })
    throw refuse('overloaded', undefined, { retry_after: RETRY_AFTER_SECONDS })
  }
}
