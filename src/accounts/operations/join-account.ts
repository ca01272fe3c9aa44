import { randomUUIDv7 } from 'node:crypto'
import { Refusal, refuse } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { hashPassword } from '../../platform/sealing/password-secret.ts'
import { repeatedSince, throttles } from '../rules/sign-in.ts'
import {
  insertDeveloper,
  lockDeveloper,
  selectOptionalDeveloper,
  updateVerified,
} from '../store/developers.ts'
import {
  deleteInvitation,
  type OpenInvitation,
  selectOptionalOpenInvitation,
} from '../store/invitations.ts'
import {
  chooseAccount,
  hasJoinedSince,
  insertMember,
  lockMembers,
  selectOptionalMember,
} from '../store/members.ts'
import { noteSignIn } from '../store/sign-in-places.ts'
import { hashToken } from '../store/token-secret.ts'
import { byMember, openSession, type SignedIn, type Visit } from './sessions.ts'
import { signIn } from './sign-in.ts'

type WithDb = Pick<Services, 'db'>

/** A link's invitation, and whether its address can sign in; throws `link_already_used`. */
export async function readInvitation({ db }: WithDb, token: string, at: Date) {
  const invitation = await selectOptionalOpenInvitation(db, hashToken(token), at)
  if (!invitation) throw refuse('link_already_used')
  const isKnown = (await selectOptionalDeveloper(db, invitation.email)) !== undefined
  return { ...invitation, isKnown }
}

/**
 * Adds the signed-in address to the inviting account and switches to that account. The link and the
 * session together verify the address. A second click changes nothing. Throws `link_already_used`,
 * also for a developer who was deleted, and `other_address`.
 */
export const joinAccount = (
  { db }: WithDb,
  token: string,
  who: SignedIn & { email: string },
  visit: Visit,
): Promise<void> =>
  transaction(db, async (tx) => {
    const invitation = await use(tx, token, visit.at)
    if (invitation.email.toLowerCase() !== who.email.toLowerCase()) throw refuse('other_address')
    if (!(await lockDeveloper(tx, who.id))) throw refuse('link_already_used')
    await updateVerified(tx, who.id, visit.at)
    await add(tx, invitation, who.id, visit)
    const { account_id: accountId } = invitation
    const choice = { sessionId: who.session_id, developerId: who.id, accountId, at: visit.at }
    await chooseAccount(tx, choice)
  }).catch(async (error: unknown) => {
    const since = repeatedSince(visit.at)
    if (!isUsedLink(error) || !(await hasJoinedSince(db, who.id, since))) throw error
  })

const isUsedLink = (error: unknown) =>
  error instanceof Refusal && error.data.code === 'link_already_used'

/**
 * Signs up an invited address, which the link verifies, as a member of the account. Returns the
 * token of a session in it; a second click signs in. Throws `too_many_tries`, `overloaded`,
 * `link_already_used` and, if the address has signed up with another password, `sign_in_failed`.
 */
export async function signUpInvited(
  services: Pick<Services, 'db' | 'egress'>,
  { token, password }: { token: string; password: string },
  visit: Visit,
): Promise<string> {
  const { db } = services
  // Invalid tokens, which anybody can submit, must not count against others at the same address.
  const { email, account_id } = await readInvitation(services, token, visit.at)
  await throttle(db, throttles.signUpByAddress, visit.address, visit.at)
  const passwordHash = await hashPassword(password, visit.address)
  return transaction(db, async (tx) => {
    const invitation = await use(tx, token, visit.at)
    const id = randomUUIDv7()
    const developer = { id, accountId: null, email: invitation.email, passwordHash, at: visit.at }
    if (!(await insertDeveloper(tx, developer))) throw refuse('link_already_used')
    await updateVerified(tx, id, visit.at)
    await add(tx, invitation, id, visit)
    await noteSignIn(tx, id, visit)
    return openSession(tx, id, visit)
  }).catch(async (error: unknown) => {
    const hasJoined = isUsedLink(error) && (await selectOptionalMember(db, account_id, email))
    if (!hasJoined) throw error
    return (await signIn(services, { email, password }, visit)).token
  })
}

/** Deletes and returns a link's invitation. */
async function use(tx: Db, token: string, at: Date): Promise<OpenInvitation> {
  const offer = await selectOptionalOpenInvitation(tx, hashToken(token), at)
  if (!offer) throw refuse('link_already_used')
  // Lock order, as everywhere: the account's row first.
  await lockMembers(tx, offer.account_id)
  if (!(await deleteInvitation(tx, offer.account_id, offer.id))) throw refuse('link_already_used')
  return offer
}

async function add(tx: Db, { account_id, role, email }: OpenInvitation, id: string, visit: Visit) {
  const member = { accountId: account_id, developerId: id, role, at: visit.at }
  if (!(await insertMember(tx, member))) return
  const by = byMember({ id, accountId: account_id }, visit)
  await recordAudit(tx, by, 'member.joined', { id, name: email, details: { role } })
}
