import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { scopes } from '../../base/scopes.ts'
import { aheadMs, aheadOf } from '../../platform/database/account-time.ts'
import { type Db, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { modes, tiers } from '../schema/plan.ts'
import { soon } from './quota.ts'

const keyHolderRow = z.object({
  hash: z.instanceof(Buffer),
  key_id: z.uuid(),
  id: z.uuid(),
  name: z.string(),
  tier: z.enum(tiers),
  mode: z.enum(modes),
  live_account_id: z.uuid().nullable(),
  requests_per_day: z.int().nullable(),
  scopes: z.array(z.enum(scopes)),
  allowed_ips: z.array(z.string()),
  registry: z.int(),
  suspended_reason: z.string().nullable(),
  clock_ahead_ms: aheadMs,
})
const enteredRow = keyHolderRow.extend({ used: z.int().nullable() })

/**
 * The accounts of keys valid at `at`. Deleting or suspending a live account covers its sandboxes.
 * `registry` is the version of the agent registry.
 */
const validHolders = (which: Sql, at: Date) => sql`
  select k.hash, k.id as key_id, a.id, a.name, a.tier, a.mode, a.live_account_id,
    a.requests_per_day, k.scopes,
    coalesce(a.suspended_reason, l.suspended_reason) as suspended_reason,
    k.allowed_ips::text[] as allowed_ips, ${aheadOf(sql`a.id`)} as clock_ahead_ms,
    (select version from agent_registry) as registry
  from api_key k
  join account a on a.id = k.account_id
  left join account l on l.id = a.live_account_id
  where ${which} and k.revoked_at is null and (k.expires_at is null or k.expires_at > ${at})
    and a.deleted_at is null and l.deleted_at is null`

/** The accounts of the valid keys among these hashed ones, in no particular order. */
export const selectKeyHolders = (db: Db, hashes: Buffer[], at: Date) =>
  queryRows(db, keyHolderRow)`${validHolders(sql`k.hash = any(${hashes})`, at)}`

/**
 * `count` requests with one key on a UTC date (`day`, YYYY-MM-DD). `perDay` holds the limits for
 * accounts that have none of their own.
 */
export type Entry = {
  hash: Buffer
  at: Date
  day: string
  count: number
  perDay: { free: number; pro: number; test: number }
  /** the key's networks when last read */
  networks: readonly string[]
}

/**
 * The account of a hashed key (undefined if the key is not valid) and its requests today, including
 * these. `used` is null, and nothing is counted, if the limit does not allow them all, the day has
 * no row yet, the key's networks have changed, or the account is suspended.
 */
export const enterWithKey = (db: Db, { hash, at, day, count, perDay, networks }: Entry) =>
  queryOptionalRow(db, enteredRow)`
    with holder as (${validHolders(sql`k.hash = ${hash}`, at)}),
    taken as (
      update quota_day q set used = q.used + ${count}
      from holder h, ${soon}
      where q.account_id = coalesce(h.live_account_id, h.id) and q.mode = h.mode and q.day = ${day}
        and h.suspended_reason is null
        and h.allowed_ips = ${networks}::text[]
        and q.used + ${count} <= coalesce(h.requests_per_day,
          case when h.mode = 'test' then ${perDay.test}::int
            when h.tier = 'pro' then ${perDay.pro}::int else ${perDay.free}::int end)
      returning q.used
    )
    select h.*, (select used from taken) as used from holder h`
