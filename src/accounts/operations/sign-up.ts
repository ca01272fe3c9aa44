import { randomUUIDv7 } from 'node:crypto'
import { Refusal } from '../../base/errors.ts'
import { recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { attempt, type Db, transaction } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { hashPassword } from '../../platform/sealing/password-secret.ts'
import { throttles } from '../rules/sign-in.ts'
import { insertAccount, insertKey } from '../store/accounts.ts'
import { insertDeveloper, selectOptionalDeveloper } from '../store/developers.ts'
import { hashKey, newRawKey } from '../store/key-secret.ts'
import { noteSignIn } from '../store/sign-in-places.ts'
import { byMember, openSession, type Visit } from './sessions.ts'
import { type Credentials, signIn } from './sign-in.ts'

/**
 * Opens an account on the free tier and, with `getsKey`, a key, which is returned in clear. If the
 * address already has an account, the right password signs in as `signIn` does, with its limits and
 * its notice; a wrong one leaves `signedIn` undefined: call `notifyOwner`. Throws `too_many_tries`
 * and `overloaded`.
 */
export async function signUp(
  services: Pick<Services, 'db' | 'egress'>,
  { getsKey, ...credentials }: Credentials & { getsKey: boolean },
  visit: Visit,
) {
  const { db } = services
  const { email, password } = credentials
  await throttle(db, throttles.signUpByAddress, visit.address, visit.at)
  await throttle(db, throttles.signUpByAddressDaily, visit.address, visit.at)
  if (!(await selectOptionalDeveloper(db, email))) {
    const passwordHash = await hashPassword(password, visit.address)
    const signedUp = await transaction(db, (tx) =>
      attempt(tx, () => openAccount(tx, { email, passwordHash, getsKey }, visit)),
    )
    if (signedUp) return { isNew: true as const, signedUp }
  }
  try {
    return { isNew: false as const, signedIn: await signIn(services, credentials, visit) }
  } catch (error) {
    if (!(error instanceof Refusal) || error.data.code !== 'sign_in_failed') throw error
    return { isNew: false as const, signedIn: undefined }
  }
}

type NewOwner = { email: string; passwordHash: string; getsKey: boolean }

async function openAccount(tx: Db, { email, passwordHash, getsKey }: NewOwner, visit: Visit) {
  const { at } = visit
  const accountId = randomUUIDv7()
  const id = randomUUIDv7()
  const name = (email.split('@', 1)[0] ?? '').slice(0, 100)
  await insertAccount(tx, { id: accountId, name, tier: 'free', at })
  if (!(await insertDeveloper(tx, { id, accountId, email, passwordHash, at }))) return undefined
  await recordAudit(tx, byMember({ id, accountId }, visit), 'account.created', { name })
  const key = getsKey ? newRawKey() : null
  if (key) {
    const secret = { hash: hashKey(key), hint: key.slice(-4) }
    await insertKey(tx, { id: randomUUIDv7(), accountId, name: 'first key', ...secret, at })
  }
  await noteSignIn(tx, id, visit)
  return { token: await openSession(tx, id, visit), key, developer: { id, email } }
}
