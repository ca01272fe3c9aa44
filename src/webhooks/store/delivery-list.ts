import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { type Db, query } from '../../platform/database/sql.ts'
import type { DeliveryStatusFilter } from '../rules/statuses.ts'
import { deliveryColumns, deliveryRow, joinedEvent, shownDelivery } from './delivery-view.ts'

export type DeliveryFilter = {
  endpointId: string | undefined
  status: DeliveryStatusFilter | undefined
  types: readonly string[] | null
  eventNumber: number | undefined
  /** enqueued at or after the first, and before the second */
  from: string | undefined
  before: string | undefined
  /** the event number and endpoint of the last delivery on the previous page */
  after: readonly [number, string] | null
  limit: number
}

/**
 * The account's deliveries, newest events first. Reads at most a page per endpoint, in index order.
 */
export async function selectDeliveriesOf(
  db: Db,
  accountId: string,
  { endpointId, status, types, eventNumber, from, before, after, limit }: DeliveryFilter,
  now: Date,
) {
  // Statuses are literals in the SQL, so that the planner can estimate the number of rows.
  const ofEndpoint = allOf(
    sql`e.account_id = ${accountId}`,
    endpointId && sql`e.id = ${endpointId}`,
    status === 'held' && sql`e.status <> 'active'`,
    (status === 'pending' || status === 'failing') && sql`e.status = 'active'`,
  )
  const ofDelivery = allOf(
    sql`d.endpoint_id = e.id`,
    status && withStatus(status),
    types && sql`d.event_type = any(${types}::text[])`,
    eventNumber !== undefined && sql`d.event_number = ${eventNumber}`,
    from && sql`d.created_at >= ${from}`,
    before && sql`d.created_at < ${before}`,
    after && sql`d.event_number <= ${after[0]}::bigint`,
    after && sql`(d.event_number, d.endpoint_id) < (${after[0]}::bigint, ${after[1]}::uuid)`,
  )
  // Filters old deliveries before ordering them: a scan from the newest would read all newer ones.
  const fence = before ? sql`offset 0` : empty
  const rows = await query.rowsUnprepared(db, deliveryRow)`
    with page as (
      select d.id, d.event_number, d.endpoint_id from endpoint e
      cross join lateral (
        select * from (
          select d.id, d.event_number, d.endpoint_id from delivery d
          where ${ofDelivery} ${fence}) of_filter
        order by event_number desc limit ${limit}) d
      where ${ofEndpoint}
      order by d.event_number desc, d.endpoint_id desc limit ${limit}
    )
    select ${deliveryColumns}
    from page p join delivery d on d.id = p.id join endpoint e on e.id = d.endpoint_id
      ${joinedEvent}
    order by p.event_number desc, p.endpoint_id desc`
  return rows.map((row) => shownDelivery(row, now))
}

const storedStatus: { [status in DeliveryStatusFilter]?: string } = {
  held: 'pending',
  failing: 'pending',
}

/** A partial index covers the failing ones. */
const withStatus = (status: DeliveryStatusFilter) => {
  const failed = status === 'failing' ? sql`and d.tries > 0` : empty
  return sql`d.status = '${raw(storedStatus[status] ?? status)}' ${failed}`
}

const allOf = (...conditions: (Sql | '' | false | null | undefined)[]) =>
  join(
    conditions.filter((one) => !!one),
    ' and ',
  )
