import { z } from 'zod'
import {
  type Db,
  execute,
  queryOptionalRow,
  queryRow,
  queryRows,
} from '../../platform/database/sql.ts'

const developerRow = z.object({
  id: z.uuid(),
  email: z.string(),
  password_hash: z.string(),
  is_operator: z.boolean(),
})

export type NewDeveloper = {
  id: string
  accountId: string
  email: string
  passwordHash: string
  at: Date
}

/** Adds a developer; false if the address (case-insensitive) has one already. */
export async function insertDeveloper(db: Db, developer: NewDeveloper) {
  const { id, accountId, email, passwordHash, at } = developer
  const added = await execute(db)`
    insert into developer (id, account_id, email, password_hash, created_at)
    values (${id}, ${accountId}, ${email}, ${passwordHash}, ${at})
    on conflict (lower(email)) do nothing`
  return added === 1
}

/** The developer with this address (case-insensitive). */
export const selectOptionalDeveloper = (db: Db, email: string) =>
  queryOptionalRow(db, developerRow)`
    select id, email, password_hash, is_operator from developer
    where lower(email) = lower(${email})`

/** Changes a password and returns the address; undefined if the password is not `from`. */
export async function updatePassword(
  db: Db,
  id: string,
  { from = null, to }: { from?: string | null; to: string },
) {
  const row = await queryOptionalRow(db, developerRow.pick({ email: true }))`
    update developer set password_hash = ${to}
    where id = ${id} and (${from}::text is null or password_hash = ${from})
    returning email`
  return row?.email
}

/** Locks a password against change until the transaction ends; false if it has changed. */
export async function lockPassword(tx: Db, id: string, passwordHash: string) {
  const locked = await execute(tx)`
    select from developer where id = ${id} and password_hash = ${passwordHash} for update`
  return locked === 1
}

const accountIdRow = z.object({ account_id: z.uuid() })

/** Marks an address as verified; returns the account if it was not before. */
export async function updateVerified(db: Db, id: string, at: Date) {
  const row = await queryOptionalRow(db, accountIdRow)`
    update developer set verified_at = ${at}
    where id = ${id} and verified_at is null returning account_id`
  return row?.account_id
}

/** The account that a developer works in. */
export async function selectAccountOf(db: Db, id: string): Promise<string> {
  const row = await queryRow(db, accountIdRow)`select account_id from developer where id = ${id}`
  return row.account_id
}

const isVerifiedRow = z.object({ is_verified: z.boolean() })

/** Whether the address of an account's developer was verified at `at` or later. */
export async function isVerifiedSince(db: Db, accountId: string, at: Date) {
  const { is_verified } = await queryRow(db, isVerifiedRow)`
    select exists (select from developer where account_id = ${accountId} and verified_at >= ${at})
      as is_verified`
  return is_verified
}

const emailRow = developerRow.pick({ email: true })

/** The verified addresses of an account's developers. */
export async function selectVerifiedEmails(db: Db, accountId: string): Promise<string[]> {
  const rows = await queryRows(db, emailRow)`
    select email from developer where account_id = ${accountId} and verified_at is not null
    order by id`
  return rows.map(({ email }) => email)
}

/** Marks an address as verified, however it was shown; false without a developer. */
export async function updateVerifiedByEmail(db: Db, email: string, at: Date) {
  const updated = await execute(db)`
    update developer set verified_at = coalesce(verified_at, ${at})
    where lower(email) = lower(${email})`
  return updated === 1
}

/** Grants the operator role to a verified address, or revokes it; false without a developer. */
export async function updateOperator(db: Db, email: string, isOperator: boolean) {
  const updated = await execute(db)`
    update developer set is_operator = ${isOperator}
    where lower(email) = lower(${email}) and (verified_at is not null or not ${isOperator})`
  return updated === 1
}
