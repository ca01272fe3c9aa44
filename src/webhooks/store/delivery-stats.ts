import { z } from 'zod'
import { createCache } from '../../platform/database/cache.ts'
import { type Db, queryRows } from '../../platform/database/sql.ts'
import type { DeliverySpan } from '../schema/deliveries.ts'

const spanRow = z
  .object({
    at: z.date(),
    succeeded: z.int(),
    failed: z.int(),
    p50_ms: z.number().nullable(),
    p95_ms: z.number().nullable(),
  })
  .transform((row) => ({ ...row, at: row.at.toISOString() }))

export type SpanFilter = {
  accountId: string
  endpointId: string | null
  unit: 'hour' | 'day'
  /** the start of an hour or a day */
  since: Date
}

/**
 * Attempts by hour or day (UTC), without empty ones. Reads every attempt, so the result is cached:
 * refreshed after 30 s, never older than a minute.
 */
export const selectRecentSpans = (db: Db, filter: SpanFilter): Promise<DeliverySpan[]> =>
  recent(db, JSON.stringify(filter), () => selectSpans(db, filter))

const recent = createCache<DeliverySpan[]>({ max: 1_000, ttlMs: 30_000, staleMs: 60_000 })

const selectSpans = (db: Db, { accountId, endpointId, unit, since }: SpanFilter) =>
  queryRows(db, spanRow)`
    select date_trunc(${unit}, a.started_at) as at,
      count(*) filter (where a.status = 'succeeded') as succeeded,
      count(*) filter (where a.status <> 'succeeded') as failed,
      percentile_disc(0.5) within group (order by a.ms)
        filter (where a.http_status is not null) as p50_ms,
      percentile_disc(0.95) within group (order by a.ms)
        filter (where a.http_status is not null) as p95_ms
    from endpoint e join attempt a on a.endpoint_id = e.id
    where e.account_id = ${accountId} and e.deleted_at is null and (${endpointId}::uuid is null
      or e.id = ${endpointId})
      and a.started_at >= ${since} and a.status <> 'sending'
    group by 1 order by 1`
