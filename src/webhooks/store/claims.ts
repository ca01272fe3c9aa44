import { z } from 'zod'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { type AttemptCause, attemptCauses } from '../rules/webhooks.ts'
import { validKeyIds } from './valid-keys.ts'

const claimRow = z
  .object({
    attempt_id: z.uuid(),
    delivery_id: z.uuid(),
    event_id: z.uuid(),
    number: z.int(),
    cause: z.enum(attemptCauses),
    tries: z.int(),
    give_up_at: z.date(),
    body: z.string(),
    url: z.string(),
    headers: z.string().nullable(),
    proved_at: z.date().nullable(),
    signed_with: z.array(z.uuid()),
  })
  .transform((row) => ({
    attemptId: row.attempt_id,
    deliveryId: row.delivery_id,
    eventId: row.event_id,
    number: row.number,
    cause: row.cause,
    tries: row.tries,
    giveUpAt: row.give_up_at,
    body: row.body,
    url: row.url,
    headers: row.headers,
    provedAt: row.proved_at,
    signedWith: row.signed_with,
  }))
/**
 * An attempt that is written down and not yet sent. `number` counts the attempts of its delivery, `tries` those of its schedule before
 * this one; `signedWith` are the ids of the keys that sign it, the newest first. URL and sealed `headers` are of one moment, and
 * `provedAt` is when that address proved itself.
 */
export type Claim = z.infer<typeof claimRow>

/** A delivery that was past its time. */
const overRow = z.object({ attempt_id: z.null() }).transform(() => null)
const lookedRow = z.union([claimRow, overRow])

/** `at` is workflow time, for what is due; `wall` the clock that keys are chosen by. */
export type ClaimTime = { at: Date; wall: Date }

/**
 * Takes up to `limit` due deliveries of an active endpoint that may be sent to now, new ones before replayed ones. Who is past its
 * time fails instead; `overdue` counts those. The rows of the endpoint and of the deliveries are locked, so nobody else takes them or
 * gives the same sequence.
 */
export const claimDue = async (
  db: Db,
  endpointId: string,
  { at, wall }: ClaimTime,
  { limit, isFifo, isProbe }: { limit: number; isFifo: boolean; isProbe: boolean },
): Promise<{ claims: Claim[]; overdue: number }> => {
  const looked = await queryRows(db, lookedRow, isFifo ? claimInOrder : claimMostUrgent, [
    endpointId,
    at,
    wall,
    new Date(at.getTime() + EARLY_MS),
    limit,
    isProbe ? ('probe' satisfies AttemptCause) : null,
  ])
  const claims = looked.filter((one) => one !== null)
  return { claims, overdue: looked.length - claims.length }
}

/** The clocks of whoever put it up and of whoever sends it need not agree to the last moment. */
const EARLY_MS = 250

/** Why a delivery was not taken for a retry. */
export type NotClaimed = { refused: 'deleted' | 'unproved' | 'no_secret' | 'busy' }

/**
 * Takes one delivery, whatever its status and schedule, which both stay; not while it is being sent, nor when its endpoint is deleted
 * or has yet to prove the address that it has now.
 */
export async function claimForRetry(
  db: Db,
  endpointId: string,
  deliveryId: string,
  { at, wall }: ClaimTime,
): Promise<Claim | NotClaimed> {
  const [claim] = await queryRows(db, claimRow, claimOne, [endpointId, at, wall, deliveryId])
  return claim ?? { refused: await whyNotClaimed(db, endpointId, wall) }
}

const obstacleRow = z.object({ is_proved: z.boolean(), has_key: z.boolean() })

async function whyNotClaimed(
  db: Db,
  endpointId: string,
  wall: Date,
): Promise<NotClaimed['refused']> {
  const found = await queryOptionalRow(
    db,
    obstacleRow,
    `select e.proved_at is not null as is_proved, ${validKeyIds('e.id', '$2')} <> '{}' as has_key
     from endpoint e where e.id = $1 and e.deleted_at is null`,
    [endpointId, wall],
  )
  if (!found) return 'deleted'
  if (!found.is_proved) return 'unproved'
  return found.has_key ? 'busy' : 'no_secret'
}

/**
 * The sequence and the body are given here once and kept: the body is text that the event's own JSON is put into. Whoever comes second with
 * an attempt's number fails by the constraint `attempt_once`.
 */
const claimStatement = (parts: {
  endpoint: string
  due: string
  isOver: string
  cause: string
  status: string
}) => `
  with chosen as materialized (
    select e.id, e.account_id, e.url, e.headers, e.proved_at, e.sequence, ${validKeyIds('e.id', '$3')} as keys,
      array(select k.id from signing_key k where k.endpoint_id = e.id and k.valid_from is null) as staged
    from endpoint e where e.id = $1 and e.deleted_at is null and ${parts.endpoint}
    for no key update
  ), due as materialized (
    select d.id, d.event_number, d.event_type, d.replay_id, d.sequence, d.body, ${parts.isOver} as is_over
    from delivery d
    where d.endpoint_id = $1 and exists (select from chosen where keys <> '{}') ${parts.due}
  ), over as (
    update delivery d set status = 'failed', due_at = null, updated_at = $2
    from due where d.id = due.id and due.is_over
  ), fresh as (
    select id, row_number() over (order by event_number) as nth
    from due where sequence is null and not is_over
  ), counted as (
    update endpoint set sequence = sequence + (select count(*) from fresh)
    where id = $1 and exists (select from fresh)
  ), made as (
    select due.id, v.id as event_id, chosen.url, chosen.headers, chosen.proved_at, due.event_number,
      case when due.event_type = 'endpoint.test' then chosen.staged || chosen.keys else chosen.keys end
        as signed_with,
      ${parts.cause} as cause, coalesce(due.sequence, chosen.sequence + fresh.nth) as sequence,
      coalesce(due.body, '{"id":"' || v.id || '","type":"' || v.type || '","timestamp":"' ||
        to_char(v.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '","sequence":' ||
        (chosen.sequence + fresh.nth) || ',"data":' || v.data || '}') as body
    from due cross join chosen left join fresh on fresh.id = due.id
      join event v on v.account_id = chosen.account_id and v.number = due.event_number
    where not due.is_over
  ), claimed as (
    update delivery d set ${parts.status} sequence = made.sequence, body = made.body,
      attempts = d.attempts + 1, updated_at = $2
    from made where d.id = made.id
    returning d.id, d.attempts, d.tries, d.give_up_at, d.body
  ), written as (
    insert into attempt (id, delivery_id, endpoint_id, number, cause, status, started_at, url, signed_with)
    select gen_random_uuid(), made.id, $1, claimed.attempts, made.cause, 'sending', $2, made.url,
      made.signed_with
    from made join claimed on claimed.id = made.id
    returning id, delivery_id, number, cause, url, signed_with
  )
  select w.id as attempt_id, w.delivery_id, made.event_id, w.number, w.cause, c.tries, c.give_up_at,
    c.body, w.url, made.headers, made.proved_at, w.signed_with
  from due left join written w on w.delivery_id = due.id left join claimed c on c.id = due.id
    left join made on made.id = due.id
  order by due.event_number`

const scheduled = {
  endpoint: `e.status = 'active' and (e.wait_until is null or e.wait_until <= $4)`,
  isOver: 'd.give_up_at <= $2',
  cause: `coalesce($6::text, case when due.event_type = 'endpoint.test' then 'test'
    when due.replay_id is not null then 'replay' else 'schedule' end)`,
  status: `status = 'sending', due_at = null,`,
}

/** While its owner retries it the schedule leaves it alone; whoever retries lives to tell within a minute, or not at all. */
const notRetried = `(d.attempts = 0 or not exists (
      select from attempt a where a.delivery_id = d.id and a.status = 'sending' and a.cause = 'retry'
        and a.started_at > $2::timestamptz - interval '1 minute'))`

const claimMostUrgent = claimStatement({
  ...scheduled,
  due: `and d.status = 'pending' and d.due_at <= $4 and ${notRetried}
    order by (d.replay_id is not null), d.due_at, d.event_number limit $5
    for no key update of d skip locked`,
})

/** The first in order, or nothing while that one waits for its next try, or while another is being sent. */
const claimInOrder = claimStatement({
  ...scheduled,
  due: `and d.due_at <= $4 and d.id = (
      select f.id from delivery f where f.endpoint_id = $1 and f.status = 'pending'
      order by (f.replay_id is not null), f.event_number limit least($5, 1))
    and not exists (select from delivery s where s.endpoint_id = $1 and s.status = 'sending')
    and d.status = 'pending' and ${notRetried} for no key update of d skip locked`,
})

const claimOne = claimStatement({
  endpoint: 'e.proved_at is not null',
  isOver: 'false',
  cause: `'retry'`,
  status: '',
  due: `and d.id = $4 and d.status <> 'sending' and not exists (
      select from attempt a where a.delivery_id = d.id and a.status = 'sending'
        and a.started_at > $2::timestamptz - interval '1 minute')
    for no key update of d`,
})
