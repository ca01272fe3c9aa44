import { randomUUIDv7 } from 'node:crypto'
import { DAY_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { INVITATION_DAYS, MAX_MEMBERS, type Role } from '../../base/roles.ts'
import { recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { repeatedSince, throttles } from '../rules/sign-in.ts'
import * as stored from '../store/invitations.ts'
import { countTeam, selectOptionalMember } from '../store/members.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import { sendInvitation } from './account-mails.ts'
import { lockAsOwner, recordRevoked } from './members.ts'
import { byMember, type SignedIn, type Visit } from './sessions.ts'

type MailServices = Pick<Services, 'db' | 'sendMail' | 'settings'>
type Inviting = SignedIn & { email: string; account_name: string; is_verified: boolean }
/** With the id of an invitation, resends that invitation. */
type Invitee = { id?: string; email: string; role: Role }

/**
 * Emails an address a link to join the caller's account; earlier links to that address stop
 * working. The same form, sent twice, sends one email. Throws `role_required`, `email_unverified`,
 * `member_exists`, `member_limit`, `mails_not_sent` and `too_many_tries`.
 */
export async function inviteMember(
  services: MailServices,
  who: Inviting,
  { id, email, role }: Invitee,
  visit: Visit,
): Promise<void> {
  if (!services.settings.sendsMail) throw refuse('mails_not_sent')
  if (!who.is_verified) {
    const what = 'Verify your own email address on the account page before you invite others.'
    throw refuse('email_unverified', what, { account_id: who.account_id })
  }
  const token = newToken()
  const isSent = await transaction(services.db, async (tx) => {
    await lockAsOwner(tx, who)
    const invitations = await stored.selectInvitations(tx, who.account_id)
    if (id !== undefined && !invitations.some((one) => one.id === id)) throw gone()
    const since = repeatedSince(visit.at).getTime()
    const isRepeated = (one: stored.Invitation) =>
      one.email.toLowerCase() === email.toLowerCase() &&
      one.role === role &&
      Date.parse(one.created_at) > since
    if (id === undefined && invitations.some(isRepeated)) return false
    if (await selectOptionalMember(tx, who.account_id, email)) throw refuse('member_exists')
    await throttle(tx, throttles.invitesByAccount, who.account_id, visit.at)
    await throttle(tx, throttles.invitesToEmail, `${who.account_id} ${email}`, visit.at)
    await throttle(tx, throttles.invitesToEmailInAll, email, visit.at)
    await put(tx, who, { email, role }, token, visit)
    if ((await countTeam(tx, who.account_id, visit.at)) > MAX_MEMBERS) throw refuse('member_limit')
    return true
  })
  if (!isSent) return
  const mail = { to: email, by: who.email, account: who.account_name, role, token }
  await sendInvitation(services, mail)
}

async function put(tx: Db, who: Inviting, { email, role }: Invitee, token: string, visit: Visit) {
  const { at } = visit
  const id = randomUUIDv7()
  const expiresAt = new Date(at.getTime() + INVITATION_DAYS * DAY_MS)
  const terms = { id, accountId: who.account_id, email, role, invitedBy: who.id, at, expiresAt }
  await stored.upsertInvitation(tx, { ...terms, tokenHash: hashToken(token) })
  const by = byMember({ id: who.id, accountId: who.account_id }, visit)
  await recordAudit(tx, by, 'member.invited', { id, name: email, details: { role } })
}

/** Resends an invitation to the caller's account, with a new expiry. Throws like `inviteMember`. */
export async function resendInvitation(
  services: MailServices,
  who: Inviting,
  id: string,
  visit: Visit,
): Promise<void> {
  const invitations = await stored.selectInvitations(services.db, who.account_id)
  const invitee = invitations.find((invitation) => invitation.id === id)
  if (!invitee) throw gone()
  await inviteMember(services, who, invitee, visit)
}

/** Revokes an invitation to the caller's account. Throws `role_required` and `page_not_found`. */
export const revokeInvitation = (
  { db }: Pick<Services, 'db'>,
  who: SignedIn,
  id: string,
  visit: Visit,
): Promise<void> =>
  transaction(db, async (tx) => {
    await lockAsOwner(tx, who)
    const invitation = await stored.deleteInvitation(tx, who.account_id, id)
    if (!invitation) throw gone()
    await recordRevoked(tx, byMember({ id: who.id, accountId: who.account_id }, visit), invitation)
  })

const gone = () =>
  refuse('page_not_found', 'No such invitation: it was accepted, revoked or sent again.')
