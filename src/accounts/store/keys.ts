import sql from 'sql-template-tag'
import { z } from 'zod'
import { scopes } from '../../contract/rules/scopes.ts'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'
import type { ApiKey } from '../schema/keys.ts'

const ownKeyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  hint: z.string(),
  scopes: z.array(z.enum(scopes)),
  expires_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
  last_used_door: z.string().nullable(),
  replaced_by: z.uuid().nullable(),
  revoked_at: z.date().nullable(),
  created_at: z.date(),
})
export type OwnKey = z.infer<typeof ownKeyRow>

const columns = sql`id, name, hint, scopes, expires_at, last_used_at, last_used_door, replaced_by,
  revoked_at, created_at`

/** The keys of an account, newest first, including revoked and expired ones. */
export const selectKeysOf = (
  db: Db,
  accountId: string,
  page: { before: string | null; limit: number },
): Promise<OwnKey[]> =>
  queryRows(db, ownKeyRow)`
    select ${columns} from api_key
    where account_id = ${accountId} and (${page.before}::uuid is null or id < ${page.before})
      order by id desc limit ${page.limit}`

/** A key of this account. */
export const selectOptionalKeyOf = (
  db: Db,
  accountId: string,
  id: string,
): Promise<OwnKey | undefined> =>
  queryOptionalRow(db, ownKeyRow)`
    select ${columns} from api_key where account_id = ${accountId} and id = ${id}`

/**
 * Locks the keys of an account against creation, rolling and revocation until the transaction ends.
 */
export const lockKeysOf = (tx: Db, accountId: string): Promise<number> =>
  execute(tx)`select from account where id = ${accountId} for no key update`

const countRow = z.object({ keys: z.int() })

/** The number of valid keys of an account, rolled ones included, without `except`. */
export async function countValidKeys(
  db: Db,
  accountId: string,
  { at, except }: { at: Date; except: string | null },
): Promise<number> {
  const { keys } = await queryRow(db, countRow)`
    select count(*) as keys from api_key
    where account_id = ${accountId} and revoked_at is null and (expires_at is null
      or expires_at > ${at})
      and id is distinct from ${except}`
  return keys
}

/** Revokes every key of an account, after `lockKeysOf`. */
export async function revokeKeysOf(tx: Db, accountId: string, at: Date): Promise<void> {
  await execute(tx)`
    update api_key set revoked_at = ${at} where account_id = ${accountId} and revoked_at is null`
}

export async function updateKeyName(db: Db, id: string, name: string): Promise<void> {
  await execute(db)`update api_key set name = ${name} where id = ${id}`
}

/** Sets the successor of a key, and its end unless it ends earlier. */
export async function updateKeyReplaced(
  tx: Db,
  id: string,
  { by, endsAt }: { by: string; endsAt: Date },
): Promise<void> {
  await execute(tx)`
    update api_key set replaced_by = ${by}, expires_at = least(expires_at, ${endsAt})
      where id = ${id}`
}

/** The status of a key at a moment. */
export function keyStatusAt(key: OwnKey, at: Date): ApiKey['status'] {
  if (key.revoked_at) return 'revoked'
  if (key.expires_at && key.expires_at <= at) return 'expired'
  return key.replaced_by ? 'rolled' : 'active'
}

/** The key as its account sees it at a moment. */
export const shownKey = (key: OwnKey, at: Date): ApiKey => ({
  id: key.id,
  name: key.name,
  ends_in: key.hint,
  scopes: key.scopes,
  status: keyStatusAt(key, at),
  expires_at: key.expires_at?.toISOString() ?? null,
  last_used:
    key.last_used_at && key.last_used_door !== null
      ? { at: key.last_used_at.toISOString(), door: key.last_used_door }
      : null,
  replaced_by: key.replaced_by,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  created_at: key.created_at.toISOString(),
})
