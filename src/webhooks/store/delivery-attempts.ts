import { z } from 'zod'
import { failureText } from '../../base/http-failures.ts'
import { isoTimeInJson } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { attempt } from '../schema/deliveries.ts'
import { joinedEvent } from './delivery-view.ts'

/** Only a delivery's newest attempts are shown. */
const MAX_ATTEMPTS = 50

const attemptRow = attempt
  .omit({ request: true })
  .extend({
    started_at: z.date(),
    signed_at: z.date().nullable(),
    failure: z.string().nullable(),
    next: attempt.shape.next.unwrap().extend({ at: isoTimeInJson.nullable() }).nullable(),
    url: z.string(),
    signed_with: z.array(z.uuid()),
    event_id: z.uuid(),
    header_names: z.array(z.string()),
  })
  .transform(({ failure, ...row }) => ({
    ...row,
    failure: failure === null ? null : { category: failure, text: failureText(failure) },
  }))
/** An attempt with the data of its request. */
export type StoredAttempt = z.output<typeof attemptRow>

/** A delivery's attempts, newest first. Responses are shown only once the endpoint is verified. */
export const selectAttemptsOf = (db: Db, deliveryId: string) =>
  query.rows(db, attemptRow)`
    select a.id, a.number, a.cause, a.status, a.started_at, a.ms, a.http_status, a.failure, a.url,
      a.signed_with, a.signed_at, ev.id as event_id, e.header_names,
      case when e.verified_at is not null and a.http_status is not null then json_build_object(
        'headers', coalesce(a.response_headers, '{}'), 'body', a.response_body,
        'truncated', coalesce(a.response_truncated, false)) end as response,
      case when a.next_at is not null or a.next_rule is not null
        then json_build_object('at', a.next_at, 'rule', a.next_rule) end as next
    from attempt a
    join delivery d on d.id = a.delivery_id
    join endpoint e on e.id = d.endpoint_id ${joinedEvent}
    where a.delivery_id = ${deliveryId} order by a.number desc limit ${MAX_ATTEMPTS}`
