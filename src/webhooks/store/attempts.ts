import sql from 'sql-template-tag'
import { uuid } from '../../platform/database/columns.ts'
import { type Db, type Pool, query } from '../../platform/database/sql.ts'
import type { RequestOutcome, Verdict } from '../rules/verdict.ts'

/** A completed request. `response` is null if there was none or it must not be stored. */
export type RequestResult = {
  outcome: RequestOutcome
  response: { headers: Record<string, string>; body: string; truncated: boolean } | null
  ms: number
}

/** The result of the attempt with this id. */
export type AttemptResult = { id: string; exchange: RequestResult; verdict: Verdict }

/** The columns of a result. PostgreSQL cannot store NUL, not even escaped in JSON. */
const columnsOf = ({ id, exchange: { outcome, response, ms }, verdict }: AttemptResult) => ({
  ...verdict,
  id,
  ms,
  httpStatus: 'status' in outcome ? outcome.status : null,
  headers:
    response &&
    JSON.stringify(response.headers, (_, value) =>
      typeof value === 'string' ? value.replaceAll('\0', '') : value,
    ),
  body: response?.body.replaceAll('\0', '\ufffd') ?? null,
  truncated: response?.truncated ?? null,
})

/**
 * Records the results of an endpoint's open attempts and updates the deliveries. Attempts since
 * given up as lost stay unchanged, as do their deliveries. Deliveries to a deleted endpoint are
 * discarded, not retried.
 */
export async function settleAttempts(
  db: Db,
  endpointId: string,
  results: readonly AttemptResult[],
  at: Date,
): Promise<number> {
  const rows = results.map(columnsOf)
  const column = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name])
  // The lateral join looks up each attempt by id. A plain join would read every attempt if the
  // table has grown since it was last analyzed, or every dead entry in the index of open attempts.
  return query.execute(db)`
    with result as (
      select * from unnest(
        ${column('id')}::uuid[], ${column('attempt')}::text[], ${column('ms')}::int[],
        ${column('httpStatus')}::smallint[], ${column('failure')}::text[],
        ${column('headers')}::jsonb[], ${column('body')}::text[],
        ${column('truncated')}::boolean[], ${column('dueAt')}::timestamptz[],
        ${column('rule')}::text[], ${column('delivery')}::text[],
        ${column('consumesAttempt')}::boolean[]) as r (id, status, ms, http_status, failure,
        headers, body, truncated, next_at, next_rule, delivery, consumes_attempt)
    ), owner as materialized (
      select deleted_at is not null as is_deleted from endpoint where id = ${endpointId}
      for key share
    ), open as materialized (
      select r.* from result r cross join owner cross join lateral (
        select from attempt where id = r.id and status = 'sending' for update) a
    ), closed as (
      update attempt a set status = r.status, ms = r.ms, http_status = r.http_status,
        failure = r.failure, response_headers = r.headers, response_body = r.body,
        response_truncated = r.truncated,
        next_at = case when not o.is_deleted then r.next_at end,
        next_rule = case when not o.is_deleted or r.delivery <> 'pending' then r.next_rule end
      from open r, owner o where a.id = r.id
      returning a.delivery_id, a.next_at, r.consumes_attempt,
        case when o.is_deleted and r.delivery = 'pending' then 'discarded' else r.delivery end
          as delivery
    )
    update delivery d set status = c.delivery, due_at = c.next_at,
      tries = d.tries + c.consumes_attempt::int,
      delivered_at = case when c.delivery = 'delivered' then coalesce(d.delivered_at, ${at})
        else d.delivered_at end,
      updated_at = ${at}
    from closed c where d.id = c.delivery_id and d.status = 'sending'`
}

/** Records one result, omitting a response that PostgreSQL cannot store. */
export async function settleOne(db: Pool, endpointId: string, result: AttemptResult, at: Date) {
  try {
    await settleAttempts(db, endpointId, [result], at)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    await settleAttempts(db, endpointId, [withoutResponse(result)], at)
  }
}

/** PostgreSQL has rejected a value (SQLSTATE class 22), so a retry will not help. */
export const isUnstorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22')

export const withoutResponse = (result: AttemptResult): AttemptResult => ({
  ...result,
  exchange: { ...result.exchange, response: null },
})

/**
 * Records the result of an attempt that the owner triggered. A success marks the delivery as
 * delivered, whatever a concurrent attempt does. A failure leaves its status and schedule alone.
 */
export const settleRetry = (db: Db, result: AttemptResult, at: Date) =>
  query.execute(db)`
    with closed as (${closeOne(result)} returning delivery_id)
    update delivery d set status = 'delivered', due_at = null,
      delivered_at = coalesce(d.delivered_at, ${at}), updated_at = ${at}
    from closed c where d.id = c.delivery_id and ${result.verdict.attempt === 'succeeded'}`

/** Records the result of a challenge. */
export const settleChallenge = (db: Db, result: AttemptResult) =>
  query.execute(db)`${closeOne(result)}`

function closeOne(result: AttemptResult) {
  const { id, attempt, ms, httpStatus, failure, headers, body, truncated } = columnsOf(result)
  return sql`
    update attempt set status = ${attempt}, ms = ${ms}, http_status = ${httpStatus},
      failure = ${failure}, response_headers = ${headers}, response_body = ${body},
      response_truncated = ${truncated}
    where id = ${id} and status = 'sending'`
}

/** Records a challenge before it is sent and returns the attempt's id. */
export const insertChallenge = (
  db: Db,
  endpointId: string,
  { url, signedWith, at }: { url: string; signedWith: string[]; at: Date },
) =>
  query.value(db, uuid)`
    insert into attempt (id, endpoint_id, number, cause, status, started_at, url, signed_with)
    values (gen_random_uuid(), ${endpointId}, 1, 'challenge', 'sending', ${at}, ${url},
      ${signedWith})
    returning id`
