import { type Db, parameters, queryRowsAsAsked } from '../../platform/database/sql.ts'
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
  const { values, add } = parameters()
  const ofEndpoint = [`e.account_id = ${add(accountId)}`, ...endpointConditions(filter, add)]
  const ofDelivery = ['d.endpoint_id = e.id', ...deliveryConditions(filter, add)]
  const limit = add(filter.limit)
  // Old deliveries are filtered before they are ordered: walking down from the newest would pass
  // all that is newer.
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
     from page p join delivery d on d.id = p.id join endpoint e on e.id = d.endpoint_id
       ${joinedEvent}
     order by p.event_number desc, p.endpoint_id desc`,
    values,
  )
  return rows.map((row) => shownDelivery(row, now))
}

type Add = (value: unknown) => string

/** Statuses stand in the statement's text, so that the planner knows how many rows they match. */
function endpointConditions({ endpointId, status }: DeliveryFilter, add: Add): string[] {
  return [
    ...(endpointId === null ? [] : [`e.id = ${add(endpointId)}`]),
    ...(status === 'held' ? [`e.status <> 'active'`] : []),
    ...(status === 'pending' ? [`e.status = 'active'`] : []),
  ]
}

function deliveryConditions(filter: DeliveryFilter, add: Add): string[] {
  const { status, types, eventNumber, from, before, after } = filter
  const stored = status === 'held' ? 'pending' : status
  const number = after && add(after.number)
  return [
    ...(stored === null ? [] : [`d.status = '${stored}'`]),
    ...(types === null ? [] : [`d.event_type = any(${add(types)}::text[])`]),
    ...(eventNumber === null ? [] : [`d.event_number = ${add(eventNumber)}`]),
    ...(from === null ? [] : [`d.created_at >= ${add(from)}`]),
    ...(before === null ? [] : [`d.created_at < ${add(before)}`]),
    ...(after === null
      ? []
      : [
          `d.event_number <= ${number}::bigint`,
          `(d.event_number, d.endpoint_id) < (${number}::bigint, ${add(after.endpointId)}::uuid)`,
        ]),
  ]
}
