import type { Sql } from 'sql-template-tag'
import type { Pool } from '../platform/database/sql.ts'
import type { Log } from '../platform/telemetry/log.ts'

/**
 * What a room does on test clocks: it knows what is due, and whom to notify of the time. `E` is the
 * client of its workflows; whoever moves a clock has that of the network, which is all of them.
 */
export type ClockPart<E = never> = {
  /** SQL for when something of an account is due next; null when nothing is */
  due(accountId: Sql): Sql
  /**
   * Tells the workflows of what is due by `until`, or of all that is open, what time it is; those
   * that were lost start again. A repeated `id` costs a running workflow nothing.
   */
  tell(
    deps: { db: Pool; engine: E; log: Log },
    accountId: string,
    news: ClockNews,
  ): Promise<unknown>
}

type ClockNews = { until: Date | null; id: string }
