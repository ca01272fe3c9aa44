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

const columns = 'id, account_id, email, password_hash, is_operator, verified_at, created_at'

export type NewDeveloper = {
  id: string
  accountId: string
  email: string
  passwordHash: string
  at: Date
}

/** Adds a developer; false when the address, however it is capitalised, has one already. */
export async function insertDeveloper(db: Db, developer: NewDeveloper): Promise<boolean> {
  const { id, accountId, email, passwordHash, at } = developer
  const added = await execute(
    db,
    `insert into developer (id, account_id, email, password_hash, created_at)
     values ($1, $2, $3, $4, $5) on conflict (lower(email)) do nothing`,
    [id, accountId, email, passwordHash, at],
  )
  return added === 1
}

/** Whoever signs in with this address, however it is capitalised. */
export async function selectOptionalDeveloper(
  db: Db,
  email: string,
): Promise<DeveloperRow | undefined> {
  return queryOptionalRow(
    db,
    developerRow,
    `select ${columns} from developer where lower(email) = lower($1)`,
    [email],
  )
}

const emailRow = z.object({ email: z.string() })

/** Gives a developer another password, in place of `from` where that is given: the address, undefined when it is another by now. */
export async function updatePassword(
  db: Db,
  id: string,
  { from, to }: { from?: string; to: string },
): Promise<string | undefined> {
  const row = await queryOptionalRow(
    db,
    emailRow,
    `update developer set password_hash = $2
     where id = $1 and ($3::text is null or password_hash = $3) returning email`,
    [id, to, from ?? null],
  )
  return row?.email
}

/** Keeps a password as it is until the transaction ends; false when it is another by now. */
export async function holdPassword(tx: Db, id: string, passwordHash: string): Promise<boolean> {
  const held = await execute(
    tx,
    'select from developer where id = $1 and password_hash = $2 for share',
    [id, passwordHash],
  )
  return held === 1
}

const accountRow = z.object({ account_id: z.uuid() })

/** The address has answered a mail; the first time counts, and answers the account that is its owner's by that. */
export async function updateVerified(db: Db, id: string, at: Date): Promise<string | undefined> {
  const row = await queryOptionalRow(
    db,
    accountRow,
    `update developer set verified_at = $2
     where id = $1 and verified_at is null returning account_id`,
    [id, at],
  )
  return row?.account_id
}

const provedRow = z.object({ is_proved: z.boolean() })

/** Whether the address of an account's developer was proved at this instant or later. */
export async function isProvedSince(db: Db, accountId: string, at: Date): Promise<boolean> {
  const { is_proved } = await queryRow(
    db,
    provedRow,
    'select exists (select from developer where account_id = $1 and verified_at >= $2) as is_proved',
    [accountId, at],
  )
  return is_proved
}

/** Gives or takes the operators' role; false when nobody signs in with this address, or nobody has proved that it is theirs. */
export async function updateOperator(db: Db, email: string, isOperator: boolean): Promise<boolean> {
  const touched = await execute(
    db,
    `update developer set is_operator = $2
     where lower(email) = lower($1) and (verified_at is not null or not $2)`,
    [email, isOperator],
  )
  return touched === 1
}
