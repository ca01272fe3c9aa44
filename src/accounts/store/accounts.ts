import { z } from 'zod'
import { defaultScopes, type Scope } from '../../base/scopes.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { tiers } from '../schema/plan.ts'

const accountRow = z.object({ id: z.uuid(), name: z.string(), tier: z.enum(tiers) })

const keyRow = accountRow.extend({
  hint: z.string(),
  account_id: z.uuid(),
  account_name: z.string(),
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
  tier: (typeof tiers)[number]
  /** the account's own daily limit; null if the tier's applies */
  requestsPerDay?: number | null
  at: Date
}

/** Opens an account. */
export const insertAccount = (db: Db, { id, name, tier, requestsPerDay = null, at }: NewAccount) =>
  query.execute(db)`
    insert into account (id, name, tier, requests_per_day, created_at)
    values (${id}, ${name}, ${tier}, ${requestsPerDay}, ${at})`

/** An account, unless it is deleted. */
export const selectOptionalAccount = (db: Db, id: string) =>
  query.optionalRow(db, accountRow)`
    select id, name, tier from account where id = ${id} and deleted_at is null`

export type NewKey = {
  id: string
  accountId: string
  name: string
  hash: Buffer
  /** the last four characters of the key */
  hint: string
  scopes?: readonly Scope[]
  /** networks from which it may be used; if empty, any */
  allowedIps?: readonly string[]
  expiresAt?: Date | null
  /** the key that created it */
  madeBy?: string | null
  at: Date
}

/** Adds a key to an account. */
export const insertKey = (db: Db, key: NewKey) =>
  query.execute(db)`
    insert into api_key (id, account_id, name, hash, hint, scopes, allowed_ips, expires_at,
      made_by, created_at)
    values (${key.id}, ${key.accountId}, ${key.name}, ${key.hash}, ${key.hint},
      ${key.scopes ?? defaultScopes}, ${key.allowedIps ?? []}::text[]::cidr[],
      ${key.expiresAt ?? null}, ${key.madeBy ?? null}, ${key.at})`

/** Every key, including revoked ones, with its account; oldest first. */
export const selectKeys = (db: Db) =>
  query.rows(db, keyRow)`
    select k.id, k.name, k.hint, k.account_id, a.name as account_name, a.tier, k.scopes,
      k.created_at, k.expires_at, k.last_used_at, k.last_used_door, k.revoked_at
    from api_key k
    join account a on a.id = k.account_id
    order by k.created_at, k.id`
