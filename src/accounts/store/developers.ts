import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRow } from '../../platform/database/sql.ts'

const developerRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  email: z.string(),
  password_hash: z.string(),
  is_operator: z.boolean(),
  verified_at: z.date().nullable(),
  created_at: z.date(),
})
export type DeveloperRow = z.infer<typeof developerRow>

const columns = sql`id, account_id, email, password_hash, is_operator, verified_at, created_at`

export type NewDeveloper = {
  id: string
  accountId: string
  email: string
  passwordHash: string
  at: Date
}

/** Adds a developer; false if the address (case-insensitive) has one already. */
export async function insertDeveloper(db: Db, developer: NewDeveloper): Promise<boolean> {
  const { id, accountId, email, passwordHash, at } = developer
  const added = await execute(db)`
    insert into developer (id, account_id, email, password_hash, created_at)
    values (${id}, ${accountId}, ${email}, ${passwordHash}, ${at})
      on conflict (lower(email)) do nothing`
  return added === 1
}

/** The developer with this address (case-insensitive). */
export async function selectOptionalDeveloper(
  db: Db,
  email: string,
): Promise<DeveloperRow | undefined> {
  return queryOptionalRow(db, developerRow)`
    select ${columns} from developer where lower(email) = lower(${email})`
}

const emailRow = z.object({ email: z.string() })

/**
 * Changes a password and returns the address; undefined if `from` is given and is no longer the
 * password.
 */
export async function updatePassword(
  db: Db,
  id: string,
  { from, to }: { from?: string; to: string },
): Promise<string | undefined> {
  const row = await queryOptionalRow(db, emailRow)`
    update developer set password_hash = ${to}
    where id = ${id} and (${from ?? null}::text is null or password_hash = ${from ?? null})
      returning email`
  return row?.email
}

/** Locks a password against change until the transaction ends; false if it has changed. */
export async function lockPassword(tx: Db, id: string, passwordHash: string): Promise<boolean> {
  const held = await execute(tx)`
    select from developer where id = ${id} and password_hash = ${passwordHash} for share`
  return held === 1
}

const accountRow = z.object({ account_id: z.uuid() })

/** Marks an address as verified; returns the account if it was not before. */
export async function updateVerified(db: Db, id: string, at: Date): Promise<string | undefined> {
  const row = await queryOptionalRow(db, accountRow)`
    update developer set verified_at = ${at}
    where id = ${id} and verified_at is null returning account_id`
  return row?.account_id
}

const verifiedRow = z.object({ is_verified: z.boolean() })

/** Whether the address of an account's developer was verified at `at` or later. */
export async function isVerifiedSince(db: Db, accountId: string, at: Date): Promise<boolean> {
  const { is_verified } = await queryRow(db, verifiedRow)`
    select exists (
      select from developer where account_id = ${accountId} and verified_at >= ${at}) as is_verified`
  return is_verified
}

/**
 * Gives or takes the operator role; false if there is no developer with this address, or it is not
 * verified.
 */
export async function updateOperator(db: Db, email: string, isOperator: boolean): Promise<boolean> {
  const touched = await execute(db)`
    update developer set is_operator = ${isOperator}
    where lower(email) = lower(${email}) and (verified_at is not null or not ${isOperator})`
  return touched === 1
}
