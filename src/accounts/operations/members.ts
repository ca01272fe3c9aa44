import { refuse } from '../../base/errors.ts'
import type { Role } from '../../base/roles.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { deleteInvitationsBy, type Invitation } from '../store/invitations.ts'
import * as stored from '../store/members.ts'
import { byMember, type SignedIn, type Visit } from './sessions.ts'

type WithDb = Pick<Services, 'db'>

/**
 * Locks and returns the members of the caller's account. Throws `role_required` unless the caller
 * is an owner now.
 */
export async function lockAsOwner(tx: Db, { id, account_id }: SignedIn) {
  await stored.lockMembers(tx, account_id)
  const members = await stored.selectMembers(tx, account_id)
  const own = members.find((member) => member.id === id)
  if (own?.role !== 'owner') throw refuse('role_required', 'Only owners manage members.')
  return members
}

/** Throws `last_owner` if this member is the account's only owner. */
function refuseLastOwner(members: readonly stored.Member[], id: string): void {
  if (!members.some((other) => other.id !== id && other.role === 'owner'))
    throw refuse('last_owner')
}

function memberIn(members: readonly stored.Member[], id: string): stored.Member {
  const member = members.find((one) => one.id === id)
  if (!member) throw refuse('page_not_found', 'No such member: they may have left already.')
  return member
}

export const recordRevoked = (tx: Db, by: Audited, { id, email: name, role }: Invitation) =>
  recordAudit(tx, by, 'member.invitation_revoked', { id, name, details: { role } })

/** Revokes what a former owner could still use: their own invitations, and an open card page. */
async function endPowersOf(tx: Db, by: Audited, accountId: string, id: string) {
  await stored.endCardPage(tx, accountId)
  const ended = await deleteInvitationsBy(tx, accountId, id)
  for (const invitation of ended) await recordRevoked(tx, by, invitation)
}

/**
 * Changes a member's role; this ends the invitations they sent and an open card page. Throws
 * `role_required`, `last_owner` and `page_not_found`.
 */
export const changeRole = (
  { db }: WithDb,
  who: SignedIn,
  { id, role }: { id: string; role: Role },
  visit: Visit,
): Promise<void> =>
  transaction(db, async (tx) => {
    const members = await lockAsOwner(tx, who)
    const before = memberIn(members, id)
    if (before.role === role) return
    if (before.role === 'owner') refuseLastOwner(members, id)
    const details = { role: { from: before.role, to: role } }
    const by = byMember({ id: who.id, accountId: who.account_id }, visit)
    // Records the change before making it, because owners may change their own role too.
    await recordAudit(tx, by, 'member.role_changed', { id, name: before.email, details })
    await endPowersOf(tx, by, who.account_id, id)
    await stored.updateMemberRole(tx, who.account_id, id, role)
  })

/**
 * Removes a member, or lets the caller leave. Their sessions in the account and the invitations
 * they sent end. Throws `role_required`, `last_owner` and `page_not_found`.
 */
export const removeMember = ({ db }: WithDb, who: SignedIn, id: string, visit: Visit) =>
  transaction(db, async (tx) => {
    const isLeaving = id === who.id
    if (isLeaving) await stored.lockMembers(tx, who.account_id)
    const members = isLeaving
      ? await stored.selectMembers(tx, who.account_id)
      : await lockAsOwner(tx, who)
    const { email, role } = memberIn(members, id)
    if (role === 'owner') refuseLastOwner(members, id)
    const by = byMember({ id: who.id, accountId: who.account_id }, visit)
    const action = isLeaving ? 'member.left' : 'member.removed'
    await recordAudit(tx, by, action, { id, name: email, details: { role } })
    await endPowersOf(tx, by, who.account_id, id)
    await stored.deleteMember(tx, who.account_id, id)
  })

/** A developer's accounts, most recently chosen first. */
export const listAccounts = ({ db }: WithDb, developerId: string) =>
  stored.selectMemberships(db, developerId)

/** Switches to another of the developer's accounts; throws `page_not_found` for any other. */
export async function switchAccount(
  { db }: WithDb,
  { id, session_id }: SignedIn,
  accountId: string,
  at: Date,
): Promise<void> {
  const choice = { sessionId: session_id, developerId: id, accountId, at }
  if (await stored.chooseAccount(db, choice)) return
  throw refuse('page_not_found', 'You are not a member of that account.')
}
