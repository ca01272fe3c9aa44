import sql, { type Sql } from 'sql-template-tag'
import { z } from 'zod'
import { int, isoTime, uuid } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { type ApiKey, apiKey } from '../schema/keys.ts'

const ownKeyRow = apiKey.omit({ status: true, last_used: true }).extend({
  account_id: z.uuid(),
  expires_at: isoTime.nullable(),
  last_used_at: isoTime.nullable(),
  last_used_door: z.string().nullable(),
  revoked_at: isoTime.nullable(),
  created_at: isoTime,
})
export type OwnKey = z.infer<typeof ownKeyRow>

/** The ids of an account and its sandboxes. */
const accountAndSandboxes = (accountId: string) => sql`(
  select id from account where id = ${accountId} or live_account_id = ${accountId})`

const columns = sql`id, account_id, name, hint as ends_in, scopes,
  (select a.mode from account a where a.id = account_id) as mode,
  array(select abbrev(unnest(allowed_ips)::inet)) as allowed_ips, expires_at, last_used_at,
  last_used_door, replaced_by, made_by, revoked_at, created_at`

/** The keys of an account and its sandboxes, newest first, including revoked and expired ones. */
export const selectKeysOf = (
  db: Db,
  accountId: string,
  { before, limit }: { before: string | null; limit: number },
) =>
  query.rows(db, ownKeyRow)`
    select ${columns} from api_key
    where account_id in ${accountAndSandboxes(accountId)}
      and (${before}::uuid is null or id < ${before})
    order by id desc limit ${limit}`

/** A key of this account or of one of its sandboxes. */
export const selectOptionalKeyOf = (db: Db, accountId: string, id: string) =>
  query.optionalRow(db, ownKeyRow)`
    select ${columns} from api_key
    where id = ${id} and account_id in ${accountAndSandboxes(accountId)}`

/**
 * Prevents keys of an account and its sandboxes from being created, rolled or revoked until the
 * transaction ends. A sandbox is younger than its account, so the locking order is always the same.
 */
export const lockKeysOf = (tx: Db, accountId: string) =>
  query.execute(tx)`
    select from account where id = ${accountId} or live_account_id = ${accountId}
    order by id for no key update`

/** The number of an account's valid keys, including rolled ones but not `except`. */
export const countValidKeys = (
  db: Db,
  accountId: string,
  { at, except }: { at: Date; except: string | null },
) =>
  query.value(db, int)`
    select count(*) as keys from api_key
    where account_id = ${accountId} and revoked_at is null
      and (expires_at is null or expires_at > ${at}) and id is distinct from ${except}`

/**
 * Revokes these keys and all their descendants, and returns the ids. Repeats the query to catch
 * keys created in the meantime; a revoked key cannot create any.
 */
async function revokeWithMade(tx: Db, roots: Sql, at: Date): Promise<string[]> {
  const ids: string[] = []
  for (;;) {
    const revoked = await query.values(tx, uuid)`
      with recursive made as (
        select id from api_key where ${roots}
        union select k.id from api_key k join made m on k.made_by = m.id
      )
      update api_key k set revoked_at = ${at} from made m
      where k.id = m.id and k.revoked_at is null returning k.id`
    if (revoked.length === 0) return ids
    ids.push(...revoked)
  }
}

/** Revokes all keys of an account and its sandboxes, and their descendants, after `lockKeysOf`. */
export const revokeKeysOf = (tx: Db, accountId: string, at: Date) =>
  revokeWithMade(tx, sql`account_id in ${accountAndSandboxes(accountId)}`, at)

/** Revokes a key and its descendants; those already revoked keep their revocation time. */
export const revokeKeyTree = (tx: Db, id: string, at: Date) =>
  revokeWithMade(tx, sql`id = ${id}`, at)

/** A key of any account, locked against revocation until the transaction ends. */
export const lockOptionalKey = (tx: Db, id: string) =>
  query.optionalRow(tx, ownKeyRow)`select ${columns} from api_key where id = ${id} for share`

export const updateKeyTerms = (
  db: Db,
  id: string,
  { name, allowed_ips }: Pick<ApiKey, 'name' | 'allowed_ips'>,
) =>
  query.execute(db)`
    update api_key set name = ${name}, allowed_ips = ${allowed_ips}::text[]::cidr[]
    where id = ${id}`

/** Sets a key's successor, and its expiry unless it already expires earlier. */
export const updateKeyReplaced = (
  tx: Db,
  id: string,
  { by, endsAt }: { by: string; endsAt: Date },
) =>
  query.execute(tx)`
    update api_key set replaced_by = ${by}, expires_at = least(expires_at, ${endsAt})
    where id = ${id}`

/** A key's status at a given moment. */
export function keyStatusAt(key: OwnKey, at: Date): ApiKey['status'] {
  if (key.revoked_at) return 'revoked'
  if (key.expires_at && Date.parse(key.expires_at) <= at.getTime()) return 'expired'
  return key.replaced_by ? 'rolled' : 'active'
}

/** A key as its account sees it at a given moment. */
export function shownKey(key: OwnKey, now: Date): ApiKey {
  const { account_id: _, last_used_at: at, last_used_door: door, ...fields } = key
  const last_used = at && door !== null ? { at, door } : null
  return { ...fields, status: keyStatusAt(key, now), last_used }
}
