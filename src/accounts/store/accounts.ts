import { z } from 'zod'
import { defaultScopes, type Scope } from '../../contract/rules/scopes.ts'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'

const tier = z.enum(['free', 'pro'])
export type AccountTier = z.infer<typeof tier>

const accountRow = z.object({ id: z.uuid(), name: z.string(), tier })
export type AccountRow = z.infer<typeof accountRow>

const keyRow = z.object({
  id: z.uuid(),
  name: z.string(),
  hint: z.string(),
  account_id: z.uuid(),
  account_name: z.string(),
  tier,
  scopes: z.array(z.string()),
  created_at: z.date(),
  expires_at: z.date().nullable(),
  last_used_at: z.date().nullable(),
  last_used_door: z.string().nullable(),
  revoked_at: z.date().nullable(),
})
export type KeyRow = z.infer<typeof keyRow>

export type NewAccount = {
  id: string
  name: string
  tier: AccountTier
  /** its own daily limit; otherwise the tier's */
  requestsPerDay?: number
  at: Date
}

/** Opens an account. */
export async function insertAccount(db: Db, account: NewAccount): Promise<void> {
  const { id, name, tier, requestsPerDay = null, at } = account
  await execute(db)`
    insert into account (id, name, tier, requests_per_day, created_at)
    values (${id}, ${name}, ${tier}, ${requestsPerDay}, ${at})`
}

export async function selectOptionalAccount(db: Db, id: string): Promise<AccountRow | undefined> {
  return queryOptionalRow(db, accountRow)`select id, name, tier from account where id = ${id}`
}

export type NewKey = {
  id: string
  accountId: string
  name: string
  hash: Buffer
  /** the last four characters of the raw key */
  hint: string
  /** the default scopes if not given */
  scopes?: readonly Scope[]
  expiresAt?: Date | null
  at: Date
}

/** Adds a key to an account. */
export async function insertKey(db: Db, key: NewKey): Promise<void> {
  await execute(db)`
    insert into api_key (id, account_id, name, hash, hint, scopes, expires_at, created_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.hash}, ${key.hint},
      ${key.scopes ?? defaultScopes}, ${key.expiresAt ?? null}, ${key.at})`
}

/** Every key with its account, oldest first, including revoked ones. */
export async function selectKeys(db: Db): Promise<KeyRow[]> {
  return queryRows(db, keyRow)`
    select k.id, k.name, k.hint, k.account_id, a.name as account_name, a.tier, k.scopes,
      k.created_at, k.expires_at, k.last_used_at, k.last_used_door, k.revoked_at
    from api_key k
    join account a on a.id = k.account_id
    order by k.created_at, k.id`
}

/**
 * Revokes a key, waiting for transactions that create or roll keys of its account. A key revoked
 * before keeps its time.
 */
export async function updateKeyRevoked(db: Db, id: string, at: Date): Promise<boolean> {
  const touched = await execute(db)`
    with owner as (
      select a.id from account a join api_key k on k.account_id = a.id where k.id = ${id}
      for no key update of a
    )
    update api_key k set revoked_at = coalesce(k.revoked_at, ${at}) from owner o
    where k.id = ${id} and k.account_id = o.id`
  return touched === 1
}
