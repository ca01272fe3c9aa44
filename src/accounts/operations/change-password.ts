import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { hashPassword, verifyPassword } from '../../platform/sealing/password-secret.ts'
import { throttles } from '../rules/sign-in.ts'
import { deleteSessions, selectSessionProved } from '../store/developer-sessions.ts'
import { lockPassword, selectOptionalDeveloper, updatePassword } from '../store/developers.ts'
import { deleteMailedTokens } from '../store/mailed-tokens.ts'
import { disconnectAssistants, openSession, recordEverywhere, type Visit } from './sessions.ts'

const SAME = 'The new password is the current one.'
const sameProblem = { errors: [{ pointer: '/new_password', detail: 'Choose another password.' }] }

type Change = {
  email: string
  sessionId: string
  password: string
  newPassword: string
  /** whether assistants are disconnected too */
  disconnects: boolean
}

/**
 * Changes the password of a developer who knows the current one, ends all sessions and reset links,
 * and returns the token of a new session; `isRepeat` if the form was sent twice. A second factor
 * counts from when it was given in the old session. Throws `wrong_password`, `form_incomplete`,
 * `too_many_tries` and `overloaded`.
 */
export async function changePassword(
  { db }: Pick<Services, 'db'>,
  { email, sessionId, ...input }: Change,
  visit: Visit,
) {
  await throttle(db, throttles.passwordBySession, sessionId, visit.at)
  const developer = await selectOptionalDeveloper(db, email)
  const isKnown = await verifyPassword(input.password, developer?.password_hash, visit.address)
  if (!developer || !isKnown) throw refuse('wrong_password')
  if (input.newPassword === input.password) throw refuse('form_incomplete', SAME, sameProblem)
  const passwordHash = await hashPassword(input.newPassword, visit.address)
  const token = await transaction(db, async (tx) => {
    const change = { from: developer.password_hash, to: passwordHash }
    if (!(await updatePassword(tx, developer.id, change))) return undefined
    await deleteMailedTokens(tx, developer.id, 'reset_password')
    const factorAt = await selectSessionProved(tx, sessionId)
    await deleteSessions(tx, developer.id)
    if (input.disconnects) await disconnectAssistants(tx, developer.id, visit)
    await recordEverywhere(tx, developer.id, visit, 'password.changed', { name: email })
    return openSession(tx, developer.id, visit, factorAt)
  })
  return token
    ? { token, isRepeat: false }
    : { token: await sessionAfter(db, email, input.newPassword, visit), isRepeat: true }
}

/** Begins a session if the same form, sent twice, has just set this password. */
async function sessionAfter(db: Pool, email: string, password: string, visit: Visit) {
  const developer = await selectOptionalDeveloper(db, email)
  const isSet = await verifyPassword(password, developer?.password_hash, visit.address)
  if (!developer || !isSet) throw refuse('wrong_password')
  return transaction(db, async (tx) => {
    if (await lockPassword(tx, developer.id, developer.password_hash)) {
      return openSession(tx, developer.id, visit)
    }
    throw refuse('wrong_password')
  })
}
