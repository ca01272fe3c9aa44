import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { type Db, queryRowsUnprepared } from '../../platform/database/sql.ts'
import type { ShownDeliveryStatus } from '../rules/statuses.ts'
import type { Delivery } from '../schema/deliveries.ts'
import { deliveryColumns, deliveryRow, joinedEvent, shownDelivery } from './delivery-view.ts'

/** A page of deliveries begins after this one. */
type DeliveryPosition = { number: number; endpointId: string }

export type DeliveryFilter = {
  endpointId: string | null
  status: ShownDeliveryStatus | null
  /** event types */
  types: readonly string[] | null
  eventNumber: number | null
  /** enqueued from, and before */
  from: Date | null
  before: Date | null
  after: DeliveryPosition | null
  limit: number
}

/**
 * The account's deliveries, newest events first. Each endpoint contributes at most one page, in the
 * order of an index.
 */
export async function selectDeliveriesOf(
  db: Db,
  accountId: string,
  filter: DeliveryFilter,
  now: Date,
): Promise<Delivery[]> {
  const { limit } = filter
  const ofEndpoint = [sql`e.account_id = ${accountId}`, ...endpointConditions(filter)]
  const ofDelivery = [sql`d.endpoint_id = e.id`, ...deliveryConditions(filter)]
  // Old deliveries are filtered before they are ordered: walking down from the newest would pass
  // all that is newer.
  const fence = filter.before === null ? empty : sql`offset 0`
  const rows = await queryRowsUnprepared(db, deliveryRow)`
    with page as (
      select d.id, d.event_number, d.endpoint_id from endpoint e
      cross join lateral (
        select * from (
          select d.id, d.event_number, d.endpoint_id from delivery d
          where ${join(ofDelivery, ' and ')} ${fence}) of_filter
        order by event_number desc limit ${limit}) d
      where ${join(ofEndpoint, ' and ')}
      order by d.event_number desc, d.endpoint_id desc limit ${limit}
    )
    select ${deliveryColumns}
    from page p join delivery d on d.id = p.id join endpoint e on e.id = d.endpoint_id
      ${joinedEvent}
    order by p.event_number desc, p.endpoint_id desc`
  return rows.map((row) => shownDelivery(row, now))
}

/** Statuses are part of the statement's text, so that the planner knows how many rows they match. */
const endpointConditions = ({ endpointId, status }: DeliveryFilter): Sql[] => [
  ...(endpointId === null ? [] : [sql`e.id = ${endpointId}`]),
  ...(status === 'held' ? [sql`e.status <> 'active'`] : []),
  ...(status === 'pending' ? [sql`e.status = 'active'`] : []),
]

function deliveryConditions(filter: DeliveryFilter): Sql[] {
  const { status, types, eventNumber, from, before, after } = filter
  const stored = status === 'held' ? 'pending' : status
  return [
    ...(stored === null ? [] : [sql`d.status = '${raw(stored)}'`]),
    ...(types === null ? [] : [sql`d.event_type = any(${types}::text[])`]),
    ...(eventNumber === null ? [] : [sql`d.event_number = ${eventNumber}`]),
    ...(from === null ? [] : [sql`d.created_at >= ${from}`]),
    ...(before === null ? [] : [sql`d.created_at < ${before}`]),
    ...(after === null
      ? []
      : [
          sql`d.event_number <= ${after.number}::bigint`,
          sql`(d.event_number, d.endpoint_id)
            < (${after.number}::bigint, ${after.endpointId}::uuid)`,
        ]),
  ]
}
