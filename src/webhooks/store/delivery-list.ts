import { type Db, queryRowsAsAsked } from '../../platform/database/sql.ts'
import type { ShownDeliveryStatus } from '../rules/webhooks.ts'
import type { Delivery } from '../schema/deliveries.ts'
import { deliveryColumns, deliveryRow, joinedEvent, shownDelivery } from './delivery-view.ts'

/** Where a page of deliveries begins: behind this one. */
type DeliveryPosition = { number: number; endpointId: string }

export type DeliveryFilter = {
  endpointId: string | null
  status: ShownDeliveryStatus | null
  /** types as they are in the ledger */
  types: readonly string[] | null
  /** of the one event with this number */
  eventNumber: number | null
  /** put up from, and before */
  from: Date | null
  before: Date | null
  after: DeliveryPosition | null
  limit: number
}

/** The account's deliveries, the newest events first. Each endpoint gives at most a page of its own, in the order of an index. */
export async function selectDeliveriesOf(
  db: Db,
  accountId: string,
  filter: DeliveryFilter,
  now: Date,
): Promise<Delivery[]> {
  const values: unknown[] = []
  const value = (one: unknown) => `$${values.push(one)}`
  const ofEndpoint = [`e.account_id = ${value(accountId)}`, ...endpointConditions(filter, value)]
  const ofDelivery = ['d.endpoint_id = e.id', ...deliveryConditions(filter, value)]
  const limit = value(filter.limit)
  // What was put up before a time is old: going through the newest until enough of it is found would pass all that is newer.
  const fence = filter.before === null ? '' : 'offset 0'
  const rows = await queryRowsAsAsked(
    db,
    deliveryRow,
    `with page as (
       select d.id, d.event_number, d.endpoint_id from endpoint e
       cross join lateral (
         select * from (
           select d.id, d.event_number, d.endpoint_id from delivery d
           where ${ofDelivery.join(' and ')} ${fence}) of_filter
         order by event_number desc limit ${limit}) d
       where ${ofEndpoint.join(' and ')}
       order by d.event_number desc, d.endpoint_id desc limit ${limit}
     )
     select ${deliveryColumns}
     from page p join delivery d on d.id = p.id join endpoint e on e.id = d.endpoint_id ${joinedEvent}
     order by p.event_number desc, p.endpoint_id desc`,
    values,
  )
  return rows.map((row) => shownDelivery(row, now))
}

type Value = (one: unknown) => string

/** Statuses are words of ours and stand in the text, so that the planner knows which rows they are. */
function endpointConditions({ endpointId, status }: DeliveryFilter, value: Value): string[] {
  return [
    ...(endpointId === null ? [] : [`e.id = ${value(endpointId)}`]),
    ...(status === 'held' ? [`e.status <> 'active'`] : []),
    ...(status === 'pending' ? [`e.status = 'active'`] : []),
  ]
}

function deliveryConditions(filter: DeliveryFilter, value: Value): string[] {
  const { status, types, eventNumber, from, before, after } = filter
  const stored = status === 'held' ? 'pending' : status
  const conditions = [
    ...(stored === null ? [] : [`d.status = '${stored}'`]),
    ...(types === null ? [] : [`d.event_type = any(${value(types)}::text[])`]),
    ...(eventNumber === null ? [] : [`d.event_number = ${value(eventNumber)}`]),
    ...(from === null ? [] : [`d.created_at >= ${value(from)}`]),
    ...(before === null ? [] : [`d.created_at < ${value(before)}`]),
  ]
  if (after) {
    const number = value(after.number)
    conditions.push(`d.event_number <= ${number}::bigint`)
    conditions.push(
      `(d.event_number, d.endpoint_id) < (${number}::bigint, ${value(after.endpointId)}::uuid)`,
    )
  }
  return conditions
}
