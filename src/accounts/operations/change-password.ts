import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { throttles } from '../rules/sign-in.ts'
import { deleteSessions } from '../store/developer-sessions.ts'
import { selectOptionalDeveloper, updatePassword } from '../store/developers.ts'
import { deleteMailedTokens } from '../store/mailed-tokens.ts'
import { hashPassword, verifyPassword } from '../store/password-secret.ts'
import { openSession, recordEverywhere, type Visit } from './sessions.ts'

const SAME = 'The new password is the current one.'
const sameProblem = { errors: [{ pointer: '/new_password', detail: 'Choose another password.' }] }

/**
 * Changes the password of a developer who knows the current one, ends all sessions and reset links,
 * and returns the token of a new session. Throws `wrong_password`, `form_incomplete`,
 * `too_many_tries` and `overloaded`.
 */
export async function changePassword(
  { db }: Pick<Services, 'db'>,
  { email, ...input }: { email: string; password: string; newPassword: string },
  visit: Visit,
) {
  await throttle(db, throttles.passwordByEmail, email, visit.at)
  const developer = await selectOptionalDeveloper(db, email)
  const isKnown = await verifyPassword(input.password, developer?.password_hash, visit.address)
  if (!developer || !isKnown) throw refuse('wrong_password')
  if (input.newPassword === input.password) throw refuse('form_incomplete', SAME, sameProblem)
  const passwordHash = await hashPassword(input.newPassword, visit.address)
  return transaction(db, async (tx) => {
    const change = { from: developer.password_hash, to: passwordHash }
    if (!(await updatePassword(tx, developer.id, change))) throw refuse('wrong_password')
    await deleteMailedTokens(tx, developer.id, 'reset_password')
    await deleteSessions(tx, developer.id)
    await recordEverywhere(tx, developer.id, visit, 'password.changed', { name: email })
    return openSession(tx, developer.id, visit)
  })
}
