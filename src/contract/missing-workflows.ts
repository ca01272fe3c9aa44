import { MINUTE_MS } from '../base/durations.ts'
import type { Db } from '../platform/database/sql.ts'
import type { Metrics } from '../platform/telemetry/metrics.ts'
import { withinScrape } from '../platform/telemetry/within-scrape.ts'
import type { ServerState } from '../platform/temporal/queues.ts'
import { countMissing, type OpenWork } from './open-work.ts'

/**
 * Shows the number of open rows without a running workflow. Counts at most once a minute, because
 * it reads every open row twice. Shows nothing while a server is down.
 */
export function showMissingWorkflows(
  { beforeScrape, missingWorkflows }: Metrics,
  works: readonly Pick<OpenWork, 'name' | 'open' | 'workflows'>[],
  deps: { db: Db; engine: Pick<ServerState, 'countRunning'> },
): () => void {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const readCounts = async () => {
    const counts = await Promise.all(
      works.map(async (work) => [work.name, await countMissing(work, deps)] as const),
    ).catch(() => [])
    missingWorkflows.reset()
    for (const [kind, count] of counts) missingWorkflows.set({ kind }, count)
  }
  return beforeScrape(async () => {
    if (performance.now() - readAt > MINUTE_MS) {
      readAt = performance.now()
      reading = readCounts()
    }
    if (reading) await withinScrape(reading)
  })
}
