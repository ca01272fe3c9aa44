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
  is_verified: z.boolean(),
})

export type NewDeveloper = {
  id: string
  /** the account they own; null for those who join one */
  accountId: string | null
  email: string
  passwordHash: string
  at: Date
}

/** Adds a developer, as owner of the account if given; false if the address is already in use. */
export async function insertDeveloper(db: Db, developer: NewDeveloper) {
  const { id, accountId, email, passwordHash, at } = developer
  const added = await execute(db)`
    with added as (
      insert into developer (id, email, password_hash, created_at)
      values (${id}, ${email}, ${passwordHash}, ${at})
      on conflict (lower(email)) do nothing returning id
    ), owner as (
      insert into member (account_id, developer_id, role, created_at)
      select ${accountId}, id, 'owner', ${at} from added where ${accountId}::uuid is not null
    )
    select id from added`
  return added === 1
}

/** The developer with this address (case-insensitive). */
export const selectOptionalDeveloper = (db: Db, email: string) =>
  queryOptionalRow(db, developerRow)`
    select id, email, password_hash, is_operator, verified_at is not null as is_verified
    from developer where lower(email) = lower(${email})`

/** Changes a password and returns the address; undefined if the old password is not `from`. */
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

/** Locks a password until the transaction ends; false if it has changed. */
export async function lockPassword(tx: Db, id: string, passwordHash: string) {
  const locked = await execute(tx)`
    select from developer where id = ${id} and password_hash = ${passwordHash} for update`
  return locked === 1
}

/** Keeps a developer from being deleted until the transaction ends; false if there is none. */
export const lockDeveloper = async (tx: Db, id: string): Promise<boolean> =>
  (await execute(tx)`select from developer where id = ${id} for key share`) === 1

/** Marks an address as verified; false if it already was. */
export async function updateVerified(db: Db, id: string, at: Date): Promise<boolean> {
  const updated = await execute(db)`
    update developer set verified_at = ${at} where id = ${id} and verified_at is null`
  return updated === 1
}

const isVerifiedRow = z.object({ is_verified: z.boolean() })

/** Whether an owner of the account has verified their address at or after `at`. */
export async function isVerifiedSince(db: Db, accountId: string, at: Date) {
  const { is_verified } = await queryRow(db, isVerifiedRow)`
    select exists (
      select from member m join developer d on d.id = m.developer_id
      where m.account_id = ${accountId} and m.role = 'owner' and d.verified_at >= ${at}
    ) as is_verified`
  return is_verified
}

const emailRow = developerRow.pick({ email: true })

/** The verified addresses of members who may change an account's endpoints. */
export async function selectVerifiedEmails(db: Db, accountId: string): Promise<string[]> {
  const rows = await queryRows(db, emailRow)`
    select d.email from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} and m.role in ('owner', 'developer')
      and d.verified_at is not null
    order by d.id`
  return rows.map(({ email }) => email)
}

/** Marks an address as verified without a link; false if it has no developer. */
export async function updateVerifiedByEmail(db: Db, email: string, at: Date) {
  const updated = await execute(db)`
    update developer set verified_at = coalesce(verified_at, ${at})
    where lower(email) = lower(${email})`
  return updated === 1
}

/** Grants or revokes the operator role of a verified address; false if it has no developer. */
export async function updateOperator(db: Db, email: string, isOperator: boolean) {
  const updated = await execute(db)`
    update developer set is_operator = ${isOperator}
    where lower(email) = lower(${email}) and (verified_at is not null or not ${isOperator})`
  return updated === 1
}
