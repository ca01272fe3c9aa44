import { z } from 'zod'
import { type Db, execute, type Pool, queryRow } from '../../platform/database/sql.ts'
import type { Verdict } from '../rules/verdict.ts'

/** What an endpoint answered, as much of it as is kept. */
export type StoredResponse = {
  httpStatus: number
  headers: Record<string, string>
  body: string
  truncated: boolean
}

/** What came of an attempt; `answer` is null when there was none, or when it is not to be kept. */
export type Settled = {
  attemptId: string
  ms: number
  httpStatus: number | null
  answer: StoredResponse | null
  verdict: Verdict
}

/**
 * Writes down what came of an endpoint's attempts that are still open, and what it means for their deliveries. An attempt that somebody
 * else has given up as lost stays as it is, and so does its delivery. Of an endpoint that is deleted nothing is tried again: it is discarded.
 */
export async function settleAttempts(
  db: Db,
  endpointId: string,
  settled: readonly Settled[],
  at: Date,
): Promise<number> {
  const column = <T>(of: (one: Settled) => T) => settled.map(of)
  return execute(db, settleStatement, [
    at,
    column(({ attemptId }) => attemptId),
    column(({ verdict }) => verdict.attempt),
    column(({ ms }) => ms),
    column(({ httpStatus }) => httpStatus),
    column(({ verdict }) => verdict.failure),
    column(({ answer }) => answer && headersOf(answer)),
    column(({ answer }) => answer && bodyOf(answer)),
    column(({ answer }) => answer?.truncated ?? null),
    column(({ verdict }) => verdict.dueAt),
    column(({ verdict }) => verdict.rule),
    column(({ verdict }) => verdict.delivery),
    column(({ verdict }) => verdict.spends),
    endpointId,
  ])
}

/** The same for one of them; when PostgreSQL cannot store what was answered, nothing is kept of that but the status. */
export async function settleAlone(
  db: Pool,
  endpointId: string,
  settled: Settled,
  at: Date,
): Promise<void> {
  try {
    await settleAttempts(db, endpointId, [settled], at)
  } catch (error) {
    if (!isUnstorable(error)) throw error
    await settleAttempts(db, endpointId, [{ ...settled, answer: null }], at)
  }
}

/** A value that PostgreSQL cannot take (SQLSTATE class 22): no other try will change that. */
export const isUnstorable = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('22')

/** PostgreSQL stores no NUL, neither as a character nor escaped in JSON. */
const headersOf = ({ headers }: StoredResponse): string =>
  JSON.stringify(headers, (_, value) =>
    typeof value === 'string' ? value.replaceAll('\0', '') : value,
  )
const bodyOf = ({ body }: StoredResponse): string => body.replaceAll('\0', '\ufffd')

// Each attempt is looked up by its id, whatever PostgreSQL believes of the table: joined, it read all attempts of a table that had
// grown since it was last counted, or all dead entries of the index of open ones.
const settleStatement = `
  with given as (
    select * from unnest($2::uuid[], $3::text[], $4::int[], $5::smallint[], $6::text[], $7::jsonb[], $8::text[],
      $9::boolean[], $10::timestamptz[], $11::text[], $12::text[], $13::smallint[])
      as g (id, status, ms, http_status, failure, headers, body, truncated, next_at, next_rule, delivery, spends)
  ), owner as materialized (
    select deleted_at is not null as is_deleted from endpoint where id = $14 for key share
  ), open as materialized (
    select g.* from given g cross join owner cross join lateral (
      select from attempt where id = g.id and status = 'sending' for update) a
  ), closed as (
    update attempt a set status = g.status, ms = g.ms, http_status = g.http_status, failure = g.failure,
      response_headers = g.headers, response_body = g.body, response_truncated = g.truncated,
      next_at = case when not o.is_deleted then g.next_at end,
      next_rule = case when not o.is_deleted or g.delivery <> 'pending' then g.next_rule end
    from open g, owner o where a.id = g.id
    returning a.delivery_id, a.next_at, g.spends,
      case when o.is_deleted and g.delivery = 'pending' then 'discarded' else g.delivery end as delivery
  )
  update delivery d set status = c.delivery, due_at = c.next_at, tries = d.tries + c.spends,
    delivered_at = case when c.delivery = 'delivered' then coalesce(d.delivered_at, $1) else d.delivered_at end,
    updated_at = $1
  from closed c where d.id = c.delivery_id and d.status = 'sending'`

/**
 * The same for an attempt that its owner asked for: a success delivers, whatever becomes of an attempt beside it; a failure leaves the
 * delivery and its schedule as they are.
 */
export async function settleRetry(db: Db, settled: Settled, at: Date): Promise<void> {
  await execute(
    db,
    `with closed as (${closeOne} returning delivery_id)
     update delivery d set status = 'delivered', due_at = null,
       delivered_at = coalesce(d.delivered_at, $9), updated_at = $9
     from closed c where d.id = c.delivery_id and $2 = 'succeeded'`,
    [...oneOf(settled), at],
  )
}

const closeOne = `update attempt set status = $2, ms = $3, http_status = $4, failure = $5, response_headers = $6,
  response_body = $7, response_truncated = $8 where id = $1 and status = 'sending'`

const oneOf = ({ attemptId, ms, httpStatus, answer, verdict }: Settled): unknown[] => [
  attemptId,
  verdict.attempt,
  ms,
  httpStatus,
  verdict.failure,
  answer && headersOf(answer),
  answer && bodyOf(answer),
  answer?.truncated ?? null,
]

/** Writes down what came of a challenge. */
export async function settleChallenge(db: Db, settled: Settled): Promise<void> {
  await execute(db, closeOne, oneOf(settled))
}

const challengeRow = z.object({ id: z.uuid() })

/** Writes down a challenge before it is sent; answers the attempt's id. */
export async function insertChallenge(
  db: Db,
  { endpointId, url, signedWith }: { endpointId: string; url: string; signedWith: string[] },
  at: Date,
): Promise<string> {
  const { id } = await queryRow(
    db,
    challengeRow,
    `insert into attempt (id, endpoint_id, number, cause, status, started_at, url, signed_with)
     values (gen_random_uuid(), $1, 1, 'challenge', 'sending', $2, $3, $4) returning id`,
    [endpointId, at, url, signedWith],
  )
  return id
}
