import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, type Pool, queryRow } from '../../platform/database/sql.ts'
import type { Verdict } from '../rules/verdict.ts'

/** A response as it is stored: the first 16 kB of its body. */
export type StoredResponse = {
  httpStatus: number
  headers: Record<string, string>
  body: string
  truncated: boolean
}

/** The result of an attempt. `response` is null when there was none or it must not be stored. */
export type AttemptResult = {
  attemptId: string
  ms: number
  httpStatus: number | null
  response: StoredResponse | null
  verdict: Verdict
}

/**
 * Records the results of an endpoint's open attempts and what they mean for their deliveries. An
 * attempt that was given up as lost meanwhile stays as it is, and so does its delivery. Deliveries
 * of a deleted endpoint are discarded, not retried.
 */
export async function settleAttempts(
  db: Db,
  endpointId: string,
  results: readonly AttemptResult[],
  at: Date,
): Promise<number> {
  const column = <T>(of: (one: AttemptResult) => T) => results.map(of)
  // The lateral join looks each attempt up by its id. A plain join reads all attempts of a table
  // that has grown since it was last analysed, or all dead entries of the index of open ones.
  return execute(db)`
    with result as (
      select * from unnest(
        ${column(({ attemptId }) => attemptId)}::uuid[],
        ${column(({ verdict }) => verdict.attempt)}::text[],
        ${column(({ ms }) => ms)}::int[],
        ${column(({ httpStatus }) => httpStatus)}::smallint[],
        ${column(({ verdict }) => verdict.failure)}::text[],
        ${column(({ response }) => response && headersOf(response))}::jsonb[],
        ${column(({ response }) => response && bodyOf(response))}::text[],
        ${column(({ response }) => response?.truncated ?? null)}::boolean[],
        ${column(({ verdict }) => verdict.dueAt)}::timestamptz[],
        ${column(({ verdict }) => verdict.rule)}::text[],
        ${column(({ verdict }) => verdict.delivery)}::text[],
        ${column(({ verdict }) => verdict.consumesAttempt)}::boolean[]) as r (id, status, ms,
        http_status, failure, headers, body, truncated, next_at, next_rule, delivery,
        consumes_attempt)
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

/** Records one result; when PostgreSQL cannot store the response, everything but that. */
export async function settleOne(
  db: Pool,
  endpointId: string,
  result: AttemptResult,
  at: Date,
): Promise<void> {
  try {
    await settleAttempts(db, endpointId, [result], at)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    await settleAttempts(db, endpointId, [{ ...result, response: null }], at)
  }
}

/** A value that PostgreSQL cannot take (SQLSTATE class 22): trying again will not help. */
export const isUnstorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22')

/** PostgreSQL stores no NUL, neither as a character nor escaped in JSON. */
const headersOf = ({ headers }: StoredResponse): string =>
  JSON.stringify(headers, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )
const bodyOf = ({ body }: StoredResponse): string => body.replaceAll('\0', '\ufffd')

/**
 * Records the result of an attempt that the owner asked for. A success delivers, whatever becomes
 * of another attempt at the same time. A failure leaves the delivery and its schedule as they are.
 */
export async function settleRetry(db: Db, result: AttemptResult, at: Date): Promise<void> {
  await execute(db)`
    with closed as (${closeOne(result)} returning delivery_id)
    update delivery d set status = 'delivered', due_at = null,
      delivered_at = coalesce(d.delivered_at, ${at}), updated_at = ${at}
    from closed c where d.id = c.delivery_id and ${result.verdict.attempt === 'succeeded'}`
}

const closeOne = ({ attemptId, ms, httpStatus, response, verdict }: AttemptResult) => sql`
  update attempt set status = ${verdict.attempt}, ms = ${ms}, http_status = ${httpStatus},
    failure = ${verdict.failure}, response_headers = ${response && headersOf(response)},
    response_body = ${response && bodyOf(response)},
    response_truncated = ${response?.truncated ?? null}
  where id = ${attemptId} and status = 'sending'`

/** Records the result of a challenge. */
export async function settleChallenge(db: Db, result: AttemptResult): Promise<void> {
  await execute(db)`${closeOne(result)}`
}

const challengeRow = z.object({ id: z.uuid() })

/** Records a challenge before it is sent and returns the attempt's id. */
export async function insertChallenge(
  db: Db,
  { endpointId, url, signedWith }: { endpointId: string; url: string; signedWith: string[] },
  at: Date,
): Promise<string> {
  const { id } = await queryRow(db, challengeRow)`
    insert into attempt (id, endpoint_id, number, cause, status, started_at, url, signed_with)
    values (gen_random_uuid(), ${endpointId}, 1, 'challenge', 'sending', ${at}, ${url},
      ${signedWith}) returning id`
  return id
}
