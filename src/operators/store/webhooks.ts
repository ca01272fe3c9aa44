import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { endpointStatuses } from '../../webhooks/rules/statuses.ts'
import { MAX_SHOWN } from './stuck.ts'

/** Deliveries are counted no further than this. */
export const MAX_COUNTED = 10_000

const troubledRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_name: z.string(),
  url: z.string(),
  status: z.enum(endpointStatuses),
  status_reason: z.string().nullable(),
  failing_since: z.date().nullable(),
  wait_until: z.date().nullable(),
})
export type TroubledEndpoint = z.infer<typeof troubledRow>

/** Endpoints that fail, or were disabled by the network or an operator, longest failing first. */
export const selectTroubledEndpoints = (db: Db) =>
  query.rows(db, troubledRow)`
    select e.id, e.account_id, a.name as account_name, e.url, e.status, e.status_reason,
      e.failing_since, e.wait_until
    from endpoint e join account a on a.id = e.account_id and a.mode = 'live'
    where e.deleted_at is null and (e.failing_since is not null or e.status = 'disabled')
      and (e.failing_since is not null or e.status_reason in ('gone', 'failing', 'operator'))
    order by e.failing_since nulls last, e.id limit ${MAX_SHOWN}`

const endpointRow = troubledRow.extend({
  wait_reason: z.string().nullable(),
  created_at: z.date(),
  deleted_at: z.date().nullable(),
  waiting: z.int(),
  retried: z.int(),
  failed: z.int(),
})

/** An endpoint of any account with its delivery counts; `retried` counts those awaiting a retry. */
export const selectEndpointDetail = (db: Db, id: string) =>
  query.optionalRow(db, endpointRow)`
    select e.id, e.account_id, a.name as account_name, e.url, e.status, e.status_reason,
      e.failing_since, e.wait_until, e.wait_reason, e.created_at, e.deleted_at,
      (select count(*) from (select from delivery d
         where d.endpoint_id = e.id and d.status in ('pending', 'sending')
         limit ${MAX_COUNTED}) as counted) as waiting,
      (select count(*) from (select from delivery d
         where d.endpoint_id = e.id and d.status = 'pending' and d.tries > 0
         limit ${MAX_COUNTED}) as counted) as retried,
      (select count(*) from (select from delivery d
         where d.endpoint_id = e.id and d.status = 'failed'
         limit ${MAX_COUNTED}) as counted) as failed
    from endpoint e join account a on a.id = e.account_id where e.id = ${id}`

const attemptRow = z.object({
  id: z.uuid(),
  delivery_id: z.uuid().nullable(),
  cause: z.string(),
  status: z.enum(['sending', 'succeeded', 'failed', 'unknown']),
  started_at: z.date(),
  ms: z.int().nullable(),
  http_status: z.int().nullable(),
  failure: z.string().nullable(),
})
export type AttemptDetail = z.infer<typeof attemptRow>

/** The latest attempts at an endpoint, or at one delivery, without bodies. */
export const selectLatestAttempts = (db: Db, endpointId: string, deliveryId: string | null) =>
  query.rows(db, attemptRow)`
    select id, delivery_id, cause, status, started_at, ms, http_status, failure from attempt
    where endpoint_id = ${endpointId}
      and (${deliveryId}::uuid is null or delivery_id = ${deliveryId})
    order by started_at desc, id desc limit 20`

const deliveryRow = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  url: z.string(),
  account_id: z.uuid(),
  account_name: z.string(),
  event_id: z.uuid(),
  event_type: z.string(),
  booking_id: z.uuid().nullable(),
  status: z.enum(['pending', 'sending', 'delivered', 'failed', 'discarded', 'expired']),
  tries: z.int(),
  due_at: z.date().nullable(),
  give_up_at: z.date(),
  delivered_at: z.date().nullable(),
  created_at: z.date(),
})

/** A delivery of any account, without its payload. */
export const selectDeliveryDetail = (db: Db, id: string) =>
  query.optionalRow(db, deliveryRow)`
    select d.id, d.endpoint_id, e.url, d.account_id, a.name as account_name, v.id as event_id,
      d.event_type, v.booking_id, d.status, d.tries, d.due_at, d.give_up_at, d.delivered_at,
      d.created_at
    from delivery d join endpoint e on e.id = d.endpoint_id join account a on a.id = d.account_id
    join event v on v.account_id = d.account_id and v.number = d.event_number
    where d.id = ${id}`

const eventRow = z.object({
  id: z.uuid(),
  number: z.int(),
  type: z.string(),
  account_id: z.uuid(),
  account_name: z.string(),
  booking_id: z.uuid().nullable(),
  created_at: z.date(),
})

/** An event of any account, without its data. */
export const selectEventDetail = (db: Db, id: string) =>
  query.optionalRow(db, eventRow)`
    select v.id, v.number::int as number, v.type, v.account_id, a.name as account_name,
      v.booking_id, v.created_at
    from event v join account a on a.id = v.account_id where v.id = ${id}`

const sentRow = deliveryRow.pick({ id: true, endpoint_id: true, url: true, status: true })

/** The deliveries of an event. */
export const selectDeliveriesOfEvent = (db: Db, accountId: string, number: number) =>
  query.rows(db, sentRow)`
    select d.id, d.endpoint_id, e.url, d.status
    from delivery d join endpoint e on e.id = d.endpoint_id
    where d.account_id = ${accountId} and d.event_number = ${number} order by d.id limit 50`
