import type { Services } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { clearThrottle, throttle, throttleKey } from '../../platform/database/throttle.ts'
import { throttles } from '../rules/sign-in.ts'
import { afterClosing, type Closing, closeAccount } from '../steps/close-account.ts'
import { selectOptionalAccount } from '../store/accounts.ts'
import { lockPassword, selectOptionalDeveloper } from '../store/developers.ts'
import { verifyPassword } from '../store/password-secret.ts'
import type { Visit } from './sessions.ts'

/**
 * Deletes the account of a developer who knows the password; a second click changes nothing. Throws
 * `wrong_password`, `too_many_tries` and `overloaded`.
 */
export async function deleteAccount(
  { db, settings }: Pick<Services, 'db' | 'settings'>,
  input: { accountId: string; email: string; password: string },
  { at, address, ...visit }: Visit & Pick<Closing, 'endElsewhere'>,
): Promise<void> {
  const { accountId, email, password } = input
  await throttle(db, throttles.signInByEmail, email, at)
  await throttle(db, throttles.passwordByEmail, email, at)
  const developer = await selectOptionalDeveloper(db, email)
  const isKnown = await verifyPassword(password, developer?.password_hash, address)
  if (!developer || !isKnown) return refuseUnlessDeleted(db, accountId)
  const { endElsewhere } = visit
  const proMonthlyMinor = settings.proMonthlyUsd * 100
  const isDone = await transaction(db, async (tx) => {
    // The password may have been changed meanwhile, to end a stolen session.
    if (!(await lockPassword(tx, developer.id, developer.password_hash))) return false
    await closeAccount(tx, { accountId, by: 'developer', proMonthlyMinor, endElsewhere, at })
    await clearThrottle(tx, throttleKey(throttles.signInByEmail, email))
    return true
  })
  if (!isDone) return refuseUnlessDeleted(db, accountId)
  await afterClosing(db, { accountId, at })
}

async function refuseUnlessDeleted(db: Db, accountId: string): Promise<void> {
  if (await selectOptionalAccount(db, accountId)) throw refuse('wrong_password')
}
