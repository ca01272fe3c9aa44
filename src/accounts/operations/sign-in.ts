import type { Services } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { transaction } from '../../platform/database/sql.ts'
import { deleteTries } from '../../platform/database/tries.ts'
import { tryLimits } from '../rules/sign-in.ts'
import { holdPassword, selectOptionalDeveloper } from '../store/developers.ts'
import { deleteEnded } from '../store/ended-sign-ins.ts'
import { verifyPassword } from '../store/password-secret.ts'
import { limitTries, triesOf } from './limit-tries.ts'
import { openSession, type Visit } from './open-session.ts'

export type Credentials = { email: string; password: string }

/**
 * The token of a new session. Throws `sign_in_failed` alike, after the same work, for a wrong password and for an address that nobody
 * has, and `too_many_tries` for either.
 */
export async function signIn(
  { db }: Pick<Services, 'db'>,
  { email, password }: Credentials,
  visit: Visit,
): Promise<string> {
  const { at, address } = visit
  await limitTries(db, tryLimits.signInByAddress, address, at)
  await limitTries(db, tryLimits.signInByEmail, email, at)
  const developer = await selectOptionalDeveloper(db, email)
  const isRight = await verifyPassword(password, developer?.password_hash)
  if (!developer || !isRight) throw refuse('sign_in_failed')
  await deleteTries(db, triesOf(tryLimits.signInByEmail, email))
  await deleteEnded(db, at)
  return transaction(db, async (tx) => {
    // It may have been changed while it was compared, and every session ended by that.
    if (!(await holdPassword(tx, developer.id, developer.password_hash))) {
      throw refuse('sign_in_failed')
    }
    return openSession(tx, developer.id, visit)
  })
}
