import { refuse } from '../model/errors.ts'
import { RESET_HOURS, tryLimits } from '../model/sign-in.ts'
import { deleteSessions } from '../store/developer-sessions.ts'
import { selectOptionalDeveloper, updatePassword, updateVerified } from '../store/developers.ts'
import {
  deleteMailedTokens,
  insertMailedToken,
  isTokenGood,
  updateTokenUsed,
} from '../store/mailed-tokens.ts'
import { hashPassword } from '../store/password-secret.ts'
import { transaction } from '../store/sql.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import { deleteTries } from '../store/tries.ts'
import { resetMail } from './account-mails.ts'
import type { Services } from './define.ts'
import { limitTries, triesOf } from './limit-tries.ts'
import { openSession, type Visit } from './open-session.ts'

const HOUR_MS = 3_600_000

/** Mails the link to a new password to whoever has this address; does nothing when nobody has. Throws `too_many_tries`. */
export async function sendReset(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  email: string,
  at: Date,
): Promise<void> {
  const developer = await selectOptionalDeveloper(db, email)
  if (!developer) return
  await limitTries(db, tryLimits.resetToEmail, email, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + RESET_HOURS * HOUR_MS)
  const kept = { hash: hashToken(token), purpose: 'reset_password' as const, at, expiresAt }
  await transaction(db, (tx) => insertMailedToken(tx, { ...kept, developerId: developer.id }))
  await sendMail(resetMail({ to: developer.email, publicUrl: settings.publicUrl }, token))
}

/** Whether a link to a new password still leads to one. */
export const isResetGood = ({ db }: Pick<Services, 'db'>, token: string, at: Date) =>
  isTokenGood(db, hashToken(token), 'reset_password', at)

/**
 * Sets the password of the link's owner, ends all their sessions, opens the address to sign-ins again and begins a new session, whose token it
 * answers. The address has answered a mail by that. Throws `link_spent` and `too_many_tries`.
 */
export async function resetPassword(
  { db }: Pick<Services, 'db'>,
  { token, password }: { token: string; password: string },
  visit: Visit,
): Promise<string> {
  await limitTries(db, tryLimits.resetByAddress, visit.address, visit.at)
  // Hashing takes long, and anybody can send a token.
  if (!(await isResetGood({ db }, token, visit.at))) throw refuse('link_spent')
  const passwordHash = await hashPassword(password)
  return transaction(db, async (tx) => {
    const id = await updateTokenUsed(tx, hashToken(token), 'reset_password', visit.at)
    if (!id) throw refuse('link_spent')
    const email = await updatePassword(tx, id, { to: passwordHash })
    if (email) await deleteTries(tx, triesOf(tryLimits.signInByEmail, email))
    await updateVerified(tx, id, visit.at)
    await deleteMailedTokens(tx, id, 'reset_password')
    await deleteSessions(tx, id)
    return openSession(tx, id, visit)
  })
}
