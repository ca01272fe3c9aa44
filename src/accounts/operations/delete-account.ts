import { refuse } from '../../base/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { verifyPassword } from '../../platform/sealing/password-secret.ts'
import type { PlanContext } from '../hooks.ts'
import { throttles } from '../rules/sign-in.ts'
import { afterClosing, type Closing, closeAccount } from '../steps/close-account.ts'
import { selectOptionalAccount } from '../store/accounts.ts'
import { lockPassword, selectOptionalDeveloper } from '../store/developers.ts'
import { lockAsOwner } from './members.ts'
import { byMember, type SignedIn, type Visit } from './sessions.ts'

/**
 * Deletes the account of an owner who gives the password, and returns whom to notify and about
 * what; undefined after a second click, which changes nothing. Throws `role_required`,
 * `wrong_password`, `too_many_tries` and `overloaded`.
 */
export async function deleteAccount(
  { db, settings }: Pick<PlanContext, 'db' | 'settings'>,
  who: SignedIn & { email: string; password: string },
  { endElsewhere, ...visit }: Visit & Pick<Closing, 'endElsewhere'>,
) {
  const { account_id: accountId, email, password } = who
  const { at, address } = visit
  await throttle(db, throttles.passwordBySession, who.session_id, at)
  const developer = await selectOptionalDeveloper(db, email)
  const isKnown = await verifyPassword(password, developer?.password_hash, address)
  if (!developer || !isKnown) return refuseUnlessDeleted(db, accountId)
  const proMonthlyMinor = settings.proMonthlyUsd * 100
  // An email address in the log would outlive the account.
  const { actor: _, ...call } = byMember({ id: who.id, accountId }, visit)
  const by = { ...call, actor: { kind: 'member', id: who.id, name: 'Owner' } } as const
  const closed = await transaction(db, async (tx) => {
    // The password may just have been changed in order to end a stolen session.
    if (!(await lockPassword(tx, developer.id, developer.password_hash))) return undefined
    if (!(await selectOptionalAccount(tx, accountId))) return undefined
    await lockAsOwner(tx, who)
    return closeAccount(tx, { accountId, by, proMonthlyMinor, endElsewhere, at })
  })
  if (!closed) return refuseUnlessDeleted(db, accountId)
  await afterClosing(db, { accountId, at })
  return closed
}

async function refuseUnlessDeleted(db: Db, accountId: string): Promise<undefined> {
  if (await selectOptionalAccount(db, accountId)) throw refuse('wrong_password')
}
