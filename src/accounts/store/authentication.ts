import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { roles } from '../../base/roles.ts'
import { scopes } from '../../base/scopes.ts'
import { aheadMs, aheadOf } from '../../platform/database/account-time.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { modes, tiers } from '../schema/plan.ts'
import { soon } from './quota.ts'

const keyHolderRow = z.object({
  hash: z.instanceof(Buffer),
  key_id: z.uuid().nullable(),
  grant_id: z.uuid().nullable(),
  developer_id: z.uuid().nullable(),
  client: z.string().nullable(),
  audience: z.enum(['mcp', 'api']).nullable(),
  role: z.enum(roles).nullable(),
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
 * Keys valid at `at`, and access tokens of members who have the second factor that the account may
 * demand; `which` says which hashes.
 */
const validCredentials = (which: Sql, at: Date) => sql`
  select hash, id as key_id, null::uuid as grant_id, null::uuid as developer_id,
    null::text as client, null::text as audience, null::text as role, account_id, scopes,
    allowed_ips::text[] as allowed_ips
  from api_key
  where ${which} and revoked_at is null and (expires_at is null or expires_at > ${at})
  union all
  select t.hash, null, g.id, g.developer_id, c.metadata->>'client_name', t.audience, m.role,
    g.account_id, array(select unnest(t.scopes) intersect select unnest(g.scopes)), '{}'
  from oauth_artifact t
  join oauth_grant g on g.id = t.grant_id
  join oauth_client c on c.id = g.client_id
  join member m on m.account_id = g.member_account_id and m.developer_id = g.developer_id
  join account w on w.id = m.account_id and (not w.requires_factor
    or exists (select from second_factor where developer_id = m.developer_id))
  where ${which} and t.kind = 'AccessToken' and t.expires_at > ${at}`

/**
 * The accounts of valid keys and tokens. Deleting or suspending a live account covers its
 * sandboxes. `registry` is the version of the agent registry.
 */
const validHolders = (which: Sql, at: Date) => sql`
  select k.hash, k.key_id, k.grant_id, k.developer_id, k.client, k.audience, k.role, a.id, a.name,
    a.tier, a.mode, a.live_account_id, a.requests_per_day, k.scopes, k.allowed_ips,
    coalesce(a.suspended_reason, l.suspended_reason) as suspended_reason,
    ${aheadOf(sql`a.id`)} as clock_ahead_ms, (select version from agent_registry) as registry
  from (${validCredentials(which, at)}) k
  join account a on a.id = k.account_id
  left join account l on l.id = a.live_account_id
  where a.deleted_at is null and l.deleted_at is null`

/** The accounts of the valid keys and tokens among these hashed ones, in no particular order. */
export const selectKeyHolders = (db: Db, hashes: Buffer[], at: Date) =>
  query.rows(db, keyHolderRow)`${validHolders(sql`hash = any(${hashes})`, at)}`

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
  query.optionalRow(db, enteredRow)`
    with holder as (${validHolders(sql`hash = ${hash}`, at)}),
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
