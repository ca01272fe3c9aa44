import type { Sql } from 'sql-template-tag'
import type { Pool } from '../platform/database/sql.ts'
import type { Log } from '../platform/telemetry/log.ts'

/**
 * A room's part in test clocks: it knows what is due and which workflows to notify. `E` is the
 * room's workflow client; the code that moves a clock passes the client of the whole network.
 */
export type ClockPart<E = never> = {
  /** SQL for when the account next has something due; null if nothing is */
  due(accountId: Sql): Sql
  /**
   * Announces the time to the workflows of everything due by `until`, or of everything open, and
   * restarts lost ones. Repeating an `id` costs a running workflow nothing.
   */
  tell(
    deps: { db: Pool; engine: E; log: Log },
    accountId: string,
    news: ClockNews,
  ): Promise<unknown>
}

type ClockNews = { until: Date | null; id: string }
