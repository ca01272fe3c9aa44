import { createCache } from '../../platform/database/cache.ts'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type DeliverySpan, deliverySpan } from '../schema/deliveries.ts'

/** `since`: the start of an hour or a day. */
type SpanFilter = {
  accountId: string
  endpointId: string | null
  unit: 'hour' | 'day'
  since: Date
}

const recent = createCache<DeliverySpan[]>({ max: 1_000, ttlMs: 30_000, staleMs: 60_000 })

/**
 * Attempts by hour or day (UTC), without empty periods. Reading every attempt is slow, so the
 * result is cached: refreshed after 30 s and never older than a minute.
 */
export const selectRecentSpans = (db: Db, filter: SpanFilter) =>
  recent(db, JSON.stringify(filter), () => selectSpans(db, filter))

const selectSpans = (db: Db, { accountId, endpointId, unit, since }: SpanFilter) =>
  query.rows(db, deliverySpan.extend({ at: isoTime }))`
    select date_trunc(${unit}, a.started_at) as at,
      count(*) filter (where a.status = 'succeeded') as succeeded,
      count(*) filter (where a.status <> 'succeeded') as failed,
      percentile_disc(0.5) within group (order by a.ms)
        filter (where a.http_status is not null) as p50_ms,
      percentile_disc(0.95) within group (order by a.ms)
        filter (where a.http_status is not null) as p95_ms
    from endpoint e join attempt a on a.endpoint_id = e.id
    where e.account_id = ${accountId} and e.deleted_at is null
      and (${endpointId}::uuid is null or e.id = ${endpointId})
      and a.started_at >= ${since} and a.status <> 'sending'
    group by 1 order by 1`
