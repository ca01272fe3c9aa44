import type { Services } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { transaction } from '../../platform/database/sql.ts'
import { deleteTries } from '../../platform/database/tries.ts'
import { tryLimits } from '../rules/sign-in.ts'
import { deleteSessions } from '../store/developer-sessions.ts'
import { selectOptionalDeveloper, updatePassword } from '../store/developers.ts'
import { deleteMailedTokens } from '../store/mailed-tokens.ts'
import { hashPassword, verifyPassword } from '../store/password-secret.ts'
import { limitTries, triesOf } from './limit-tries.ts'
import { openSession, type Visit } from './open-session.ts'

/**
 * Sets another password for somebody who knows the present one, ends all their sessions and links to a new password, and begins a
 * new session, whose token it answers. Throws `wrong_password` and `too_many_tries`.
 */
export async function changePassword(
  { db }: Pick<Services, 'db'>,
  { email, ...said }: { email: string; password: string; newPassword: string },
  visit: Visit,
): Promise<string> {
  await limitTries(db, tryLimits.signInByEmail, email, visit.at)
  await limitTries(db, tryLimits.passwordByEmail, email, visit.at)
  const developer = await selectOptionalDeveloper(db, email)
  // The new password instead of the present one: the same form once more, as by two clicks.
  const isKnown =
    (await verifyPassword(said.password, developer?.password_hash)) ||
    (await verifyPassword(said.newPassword, developer?.password_hash))
  if (!developer || !isKnown) throw refuse('wrong_password')
  await deleteTries(db, triesOf(tryLimits.signInByEmail, email))
  const passwordHash = await hashPassword(said.newPassword)
  return transaction(db, async (tx) => {
    const change = { from: developer.password_hash, to: passwordHash }
    if (!(await updatePassword(tx, developer.id, change))) throw refuse('wrong_password')
    await deleteMailedTokens(tx, developer.id, 'reset_password')
    await deleteSessions(tx, developer.id)
    return openSession(tx, developer.id, visit)
  })
}
