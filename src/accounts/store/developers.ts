import { z } from 'zod'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'

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
  return query.affectsRow(db)`
    with added as (
      insert into developer (id, email, password_hash, created_at)
      values (${id}, ${email}, ${passwordHash}, ${at})
      on conflict (lower(email)) do nothing returning id
    ), owner as (
      insert into member (account_id, developer_id, role, created_at)
      select ${accountId}, id, 'owner', ${at} from added where ${accountId}::uuid is not null
    )
    select id from added`
}

/** The developer with this address (case-insensitive). */
export const selectOptionalDeveloper = (db: Db, email: string) =>
  query.optionalRow(db, developerRow)`
    select id, email, password_hash, is_operator, verified_at is not null as is_verified
    from developer where lower(email) = lower(${email})`

/** Changes a password and returns the address; undefined if the old password is not `from`. */
export const updatePassword = (
  db: Db,
  id: string,
  { from = null, to }: { from?: string | null; to: string },
) =>
  query.optionalValue(db, developerRow.shape.email)`
    update developer set password_hash = ${to}
    where id = ${id} and (${from}::text is null or password_hash = ${from})
    returning email`

/** Locks a password until the transaction ends; false if it has changed. */
export const lockPassword = (tx: Db, id: string, passwordHash: string) =>
  query.affectsRow(tx)`
    select from developer where id = ${id} and password_hash = ${passwordHash} for update`

/** Keeps a developer from being deleted until the transaction ends; false if there is none. */
export const lockDeveloper = (tx: Db, id: string) =>
  query.affectsRow(tx)`select from developer where id = ${id} for key share`

/** Marks an address as verified; false if it already was. */
export const updateVerified = (db: Db, id: string, at: Date) =>
  query.affectsRow(db)`
    update developer set verified_at = ${at} where id = ${id} and verified_at is null`

/** Whether an owner of the account has verified their address at or after `at`. */
export const isVerifiedSince = (db: Db, accountId: string, at: Date) =>
  query.value(db, boolean)`
    select exists (
      select from member m join developer d on d.id = m.developer_id
      where m.account_id = ${accountId} and m.role = 'owner' and d.verified_at >= ${at}
    ) as is_verified`

const emailRow = developerRow.pick({ email: true })

/** The verified addresses of members who may change an account's endpoints. */
export async function selectVerifiedEmails(db: Db, accountId: string): Promise<string[]> {
  const rows = await query.rows(db, emailRow)`
    select d.email from member m join developer d on d.id = m.developer_id
    where m.account_id = ${accountId} and m.role in ('owner', 'developer')
      and d.verified_at is not null
    order by d.id`
  return rows.map(({ email }) => email)
}

/** Marks an address as verified without a link; false if no developer has it. */
export const updateVerifiedByEmail = (db: Db, email: string, at: Date) =>
  query.affectsRow(db)`
    update developer set verified_at = coalesce(verified_at, ${at})
    where lower(email) = lower(${email})`

/** Grants or revokes the operator role of a verified address; false if no developer has it. */
export const updateOperator = (db: Db, email: string, isOperator: boolean) =>
  query.affectsRow(db)`
    update developer set is_operator = ${isOperator}
    where lower(email) = lower(${email}) and (verified_at is not null or not ${isOperator})`
