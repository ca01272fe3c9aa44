import { MINUTE_MS } from '../../base/durations.ts'
import type { Services } from '../../contract/operation.ts'
import type { Db } from '../database/sql.ts'
import { countMissing, type OpenWork } from '../temporal/open-work.ts'
import type { Metrics } from './metrics.ts'
import { withinScrape } from './within-scrape.ts'

/**
 * Shows how many open rows lack a running workflow, counted at most once a minute, because both
 * counts read every open row; nothing while one of the servers does not answer.
 */
export function showMissingWorkflows(
  { beforeScrape, missingWorkflows }: Metrics,
  works: readonly OpenWork[],
  deps: Pick<Services, 'engine'> & { db: Db },
): () => void {
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined
  const read = async () => {
    const counts = await Promise.all(
      works.map(async (work) => [work.name, await countMissing(work, deps)] as const),
    ).catch(() => [])
    missingWorkflows.reset()
    for (const [kind, count] of counts) missingWorkflows.set({ kind }, count)
  }
  return beforeScrape(async () => {
    if (performance.now() - readAt > MINUTE_MS) {
      readAt = performance.now()
      reading = read()
    }
    if (reading) await withinScrape(reading)
  })
}
