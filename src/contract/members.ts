import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../platform/database/sql.ts'
import type { Actor } from './rules/audit-actions.ts'
import { refuse } from './rules/errors.ts'
import { type AccountPart, requireMay, roles, type Way } from './rules/roles.ts'

type Acting = { actor?: Actor | null | undefined; account: { id: string } | null }

const roleRow = z.object({ role: z.enum(roles) })

/** Throws `page_not_found` unless the developer is an operator until the transaction ends. */
export async function requireOperator(tx: Db, id: string): Promise<void> {
  const found = await execute(tx)`
    select from developer where id = ${id} and is_operator and verified_at is not null for share`
  if (found === 0) throw refuse('page_not_found')
}

/**
 * Throws `role_required` unless a member who acts has a role for it now, whatever the door has seen
 * before. With `isLocked` the role stays until the transaction ends. Keys have scopes instead.
 */
export async function requireMember(
  db: Db,
  { actor, account }: Acting,
  { what, part, isLocked = false }: { what: Way; part: AccountPart; isLocked?: boolean },
): Promise<void> {
  if (actor?.kind !== 'member' || !account) return
  const member = await queryOptionalRow(db, roleRow)`
    select m.role from member m
    join account a on m.account_id = coalesce(a.live_account_id, a.id)
    where a.id = ${account.id} and m.developer_id = ${actor.id}
    ${isLocked ? sql`for share of m` : empty}`
  if (!member) throw refuse('role_required', 'You are not a member of this account.')
  requireMay(member.role, what, part)
}
