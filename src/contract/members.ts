import sql, { empty } from 'sql-template-tag'
import { z } from 'zod'
import type { Actor } from '../base/audit-actions.ts'
import { refuse } from '../base/errors.ts'
import { type AccountPart, type Role, requireMay, roles, type Way } from '../base/roles.ts'
import { type Db, query } from '../platform/database/sql.ts'

type Acting = {
  actor?: Actor | null | undefined
  account: { id: string } | null
  /** the actor's role, if this call has read it already */
  role?: Role | null | undefined
}

const roleRow = z.object({ role: z.enum(roles), lacks_factor: z.boolean() })

/**
 * Throws `page_not_found` for non-operators and for operators without a second factor. Locks the
 * operator's role in the transaction.
 */
export async function requireOperator(tx: Db, id: string): Promise<void> {
  const count = await query.execute(tx)`
    select from developer d where id = ${id} and is_operator and verified_at is not null
      and exists (select from second_factor where developer_id = d.id) for share`
  if (count === 0) throw refuse('page_not_found')
}

/**
 * Throws `role_required` if an acting member lacks the role now, whatever the door saw earlier, and
 * `factor_required` if they lack a second factor that the account demands. `isLocked` locks the
 * role until the transaction ends. Keys have scopes instead.
 */
export async function requireMember(
  db: Db,
  { actor, account, role }: Acting,
  { what, part, isLocked = false }: { what: Way; part: AccountPart; isLocked?: boolean },
): Promise<void> {
  if (actor?.kind !== 'member' || !account) return
  if (role && !isLocked) return requireMay(role, what, part)
  const member = await query.optionalRow(db, roleRow)`
    select m.role, l.requires_factor and not exists (
        select from second_factor where developer_id = m.developer_id) as lacks_factor
    from member m
    join account l on l.id = m.account_id
    join account a on l.id = coalesce(a.live_account_id, a.id)
    where a.id = ${account.id} and m.developer_id = ${actor.id}
    ${isLocked ? sql`for share of m` : empty}`
  if (!member) throw refuse('role_required', 'You are not a member of this account.')
  if (part !== 'self' && member.lacks_factor) throw refuse('factor_required')
  requireMay(member.role, what, part)
}

const ownerRow = z.object({ is_unverified: z.boolean() })

type Unproved = Pick<Acting, 'account'> & {
  settings: { endpointsNeedVerifiedEmail: boolean; publicUrl: string }
}

/**
 * Throws `email_unverified` if addresses can be verified but no owner has done so. Accounts created
 * by operators have no developer. The account cannot be deleted until the transaction ends.
 */
export async function requireVerified(tx: Db, ctx: Unproved, what: string): Promise<void> {
  const { endpointsNeedVerifiedEmail, publicUrl } = ctx.settings
  const id = ctx.account?.id
  const owner = await query.optionalRow(tx, ownerRow)`
    select exists (
        select from member m join developer d on d.id = m.developer_id
        where m.account_id = a.id and m.role = 'owner' and d.verified_at is null
      ) as is_unverified
    from account a where a.id = ${id} and a.deleted_at is null for share of a`
  if (!owner) throw refuse('unauthenticated')
  if (!endpointsNeedVerifiedEmail || !owner.is_unverified) return
  const how =
    `${what} a verified email address. Open the link in the email that the account was sent, or ` +
    `have a new one sent at ${publicUrl}/dashboard/account, then repeat the request.`
  throw refuse('email_unverified', how, { account_id: id })
}
