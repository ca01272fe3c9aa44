import type { Pool, PoolWatch } from '../database/pool.ts'
import type { Instruments } from './instruments.ts'

const kinds = ['select', 'insert', 'update', 'delete', 'with', 'begin', 'commit', 'rollback']

/** Measures and traces the statements that one part of a process runs. */
export function watchStatements(
  { metrics, tracing }: Instruments,
  part: string,
  maxWaiting: number,
): PoolWatch {
  return {
    maxWaiting,
    waited: (seconds) => metrics.poolWaits.observe({ part }, seconds),
    refused: () => metrics.overloads.inc({ reason: 'database' }),
    statement(text, run) {
      const [word = ''] = /[a-z]+/.exec(text) ?? []
      const kind = kinds.includes(word) ? word : 'other'
      const done = metrics.statements.startTimer({ part, kind })
      return tracing.span(`sql ${kind}`, { 'db.query.text': text }, run).finally(done)
    },
  }
}

/** At every scrape, shows a pool's state, until the returned function is called. */
export function showPool({ metrics }: Instruments, part: string, pool: Pool): () => void {
  return metrics.beforeScrape(() => {
    const { totalCount, idleCount, waitingCount } = pool
    metrics.poolConnections.set({ part, state: 'idle' }, idleCount)
    metrics.poolConnections.set({ part, state: 'busy' }, totalCount - idleCount)
    metrics.poolLimit.set({ part }, pool.options.max)
    metrics.poolWaiting.set({ part }, waitingCount)
  })
}
