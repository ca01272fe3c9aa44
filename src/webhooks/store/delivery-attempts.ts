import { z } from 'zod'
import { failureText } from '../../contract/rules/http-failures.ts'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { sentHeaders } from '../rules/sent-headers.ts'
import { attemptCauses, attemptStatuses } from '../rules/statuses.ts'
import type { Attempt, Delivery } from '../schema/deliveries.ts'
import { deliveryColumns, deliveryRow, joinedEvent, shownDelivery } from './delivery-view.ts'

/** Only the newest attempts of a delivery are shown. */
const MAX_ATTEMPTS = 50

const oneRow = deliveryRow.extend({
  body: z.string().nullable(),
  is_deleted: z.boolean(),
  is_proved: z.boolean(),
})

/**
 * A delivery with what decides whether it can be retried. `isEndpointProved`: the URL of its
 * endpoint is verified.
 */
export type OneDelivery = {
  delivery: Delivery
  body: string | null
  isEndpointDeleted: boolean
  isEndpointProved: boolean
}

/** A delivery of this account with the body as it is sent. */
export async function selectOptionalDeliveryOf(
  db: Db,
  accountId: string,
  id: string,
  now: Date,
): Promise<OneDelivery | undefined> {
  const row = await queryOptionalRow(db, oneRow)`
    select ${deliveryColumns}, d.body, e.deleted_at is not null as is_deleted,
      e.proved_at is not null as is_proved
    from delivery d join endpoint e on e.id = d.endpoint_id ${joinedEvent}
    where d.id = ${id} and d.account_id = ${accountId}`
  return (
    row && {
      delivery: shownDelivery(row, now),
      body: row.body,
      isEndpointDeleted: row.is_deleted,
      isEndpointProved: row.is_proved,
    }
  )
}

const attemptRow = z
  .object({
    id: z.uuid(),
    number: z.int(),
    cause: z.enum(attemptCauses),
    status: z.enum(attemptStatuses),
    started_at: z.date(),
    ms: z.int().nullable(),
    http_status: z.int().nullable(),
    failure: z.string().nullable(),
    response_headers: z.record(z.string(), z.unknown()).nullable(),
    response_body: z.string().nullable(),
    response_truncated: z.boolean().nullable(),
    url: z.string(),
    signed_with: z.array(z.uuid()),
    next_at: z.date().nullable(),
    next_rule: z.string().nullable(),
    event_id: z.uuid(),
    header_names: z.array(z.string()),
    is_proved: z.boolean(),
  })
  .transform(
    (row): Attempt => ({
      id: row.id,
      number: row.number,
      cause: row.cause,
      status: row.status,
      started_at: row.started_at.toISOString(),
      ms: row.ms,
      http_status: row.http_status,
      failure:
        row.failure === null ? null : { category: row.failure, text: failureText(row.failure) },
      request: {
        method: 'POST',
        url: row.url,
        headers: sentHeaders({
          eventId: row.event_id,
          startedAt: row.started_at,
          signatures: row.signed_with.length,
          names: row.header_names,
        }),
        signed_with: row.signed_with,
      },
      response:
        row.is_proved && row.http_status !== null
          ? {
              headers: row.response_headers ?? {},
              body: row.response_body,
              truncated: row.response_truncated ?? false,
            }
          : null,
      next:
        row.next_at || row.next_rule
          ? { at: row.next_at?.toISOString() ?? null, rule: row.next_rule }
          : null,
    }),
  )

/** The attempts of a delivery, newest first. Responses are shown once the endpoint was verified. */
export const selectAttemptsOf = (db: Db, deliveryId: string): Promise<Attempt[]> =>
  queryRows(db, attemptRow)`
    select a.id, a.number, a.cause, a.status, a.started_at, a.ms, a.http_status, a.failure,
      a.response_headers, a.response_body, a.response_truncated, a.url, a.signed_with, a.next_at,
      a.next_rule, ev.id as event_id, e.header_names, e.verified_at is not null as is_proved
    from attempt a
    join delivery d on d.id = a.delivery_id
    join endpoint e on e.id = d.endpoint_id ${joinedEvent}
    where a.delivery_id = ${deliveryId} order by a.number desc limit ${MAX_ATTEMPTS}`
