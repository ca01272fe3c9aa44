import { z } from 'zod'
import { uuid } from '../../platform/database/columns.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'

export type Purpose = 'verify_email' | 'reset_password'

export type NewMailedToken = {
  hash: Buffer
  developerId: string
  purpose: Purpose
  at: Date
  expiresAt: Date
}

/** Stores an emailed token, replacing any unused earlier one. */
export const upsertMailedToken = (db: Db, token: NewMailedToken) =>
  query.execute(db)`
    insert into mailed_token (hash, developer_id, purpose, created_at, expires_at)
    values (${token.hash}, ${token.developerId}, ${token.purpose}, ${token.at}, ${token.expiresAt})
    on conflict (developer_id, purpose) where used_at is null do update
    set hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at`

const tokenRow = z.object({ developer_id: z.uuid() })

/**
 * Marks a token as used (only if it is `developerId`'s, if given) and returns its developer;
 * undefined if it is not valid for this purpose.
 */
export const updateTokenUsed = (
  db: Db,
  hash: Buffer,
  purpose: Purpose,
  at: Date,
  developerId: string | null = null,
) =>
  query.optionalValue(db, uuid)`
    update mailed_token set used_at = ${at}
    where hash = ${hash} and purpose = ${purpose} and used_at is null and expires_at > ${at}
      and (${developerId}::uuid is null or developer_id = ${developerId})
    returning developer_id`

const usedRow = tokenRow.extend({ password_hash: z.string(), is_first_proof: z.boolean() })

/** A token used after `after`. `is_first_proof`: it verified the address for the first time. */
export const selectOptionalUsedToken = (db: Db, hash: Buffer, purpose: Purpose, after: Date) =>
  query.optionalRow(db, usedRow)`
    select t.developer_id, d.password_hash,
      coalesce(d.verified_at = t.used_at, false) as is_first_proof
    from mailed_token t join developer d on d.id = t.developer_id
    where t.hash = ${hash} and t.purpose = ${purpose} and t.used_at > ${after}`

const usableRow = z.object({ is_verified: z.boolean() })

/** A token that is valid now, and whether its developer's address is verified. */
export const selectOptionalUsableToken = (db: Db, hash: Buffer, purpose: Purpose, at: Date) =>
  query.optionalRow(db, usableRow)`
    select d.verified_at is not null as is_verified
    from mailed_token t join developer d on d.id = t.developer_id
    where t.hash = ${hash} and t.purpose = ${purpose} and t.used_at is null
      and t.expires_at > ${at}`

/** Invalidates the unused links emailed to a developer for a purpose. */
export const deleteMailedTokens = (db: Db, developerId: string, purpose: Purpose) =>
  query.execute(db)`
    delete from mailed_token
    where developer_id = ${developerId} and purpose = ${purpose} and used_at is null`

/** Links that have expired. */
export const endedTokens = (at: Date) =>
  rowsBefore('mailed_token', 'expires_at', at, 'developer_id, purpose, created_at')
