import { randomUUIDv7 } from 'node:crypto'
import type { Services } from '../../contract/operation.ts'
import { Refusal } from '../../contract/rules/errors.ts'
import { attempt, type Db, transaction } from '../../platform/database/sql.ts'
import { throttles } from '../rules/sign-in.ts'
import { insertAccount, insertKey } from '../store/accounts.ts'
import { type DeveloperRow, insertDeveloper, selectOptionalDeveloper } from '../store/developers.ts'
import { hashKey, newRawKey } from '../store/key-secret.ts'
import { hashPassword } from '../store/password-secret.ts'
import { triedMail } from './account-mails.ts'
import { openSession, type Visit } from './open-session.ts'
import { type Credentials, signIn } from './sign-in.ts'
import { throttle } from './throttle.ts'

/** A new account: the token of its first session, and its first key in clear. */
type SignedUp = {
  token: string
  key: string
  developer: { id: string; email: string }
}

/** Not new: the address has an account. With its password, `token` is a session of that one. */
export type SignUpResult = { isNew: true; signedUp: SignedUp } | { isNew: false; token?: string }

/**
 * Opens an account on the free tier with a key. An address that has an account is signed in with
 * the right password; otherwise call `notifyOwner`. Throws `too_many_tries`.
 */
export async function signUp(
  services: Pick<Services, 'db'>,
  credentials: Credentials,
  visit: Visit,
): Promise<SignUpResult> {
  const { db } = services
  const { email, password } = credentials
  await throttle(db, throttles.signUpByAddress, visit.address, visit.at)
  if (!(await selectOptionalDeveloper(db, email))) {
    const passwordHash = await hashPassword(password)
    const signedUp = await transaction(db, (tx) =>
      attempt(tx, () => openAccount(tx, email, passwordHash, visit)),
    )
    if (signedUp) return { isNew: true, signedUp }
  }
  try {
    return { isNew: false, token: await signIn(services, credentials, visit) }
  } catch (error) {
    if (error instanceof Refusal && error.data.code === 'sign_in_failed') return { isNew: false }
    throw error
  }
}

async function openAccount(
  tx: Db,
  email: string,
  passwordHash: string,
  visit: Visit,
): Promise<SignedUp | undefined> {
  const { at } = visit
  const account = { id: randomUUIDv7(), name: (email.split('@', 1)[0] ?? '').slice(0, 100) }
  const id = randomUUIDv7()
  await insertAccount(tx, { ...account, tier: 'free', at })
  const isNew = await insertDeveloper(tx, { id, accountId: account.id, email, passwordHash, at })
  if (!isNew) return undefined
  const key = newRawKey()
  const about = { id: randomUUIDv7(), accountId: account.id, name: 'first key', at }
  await insertKey(tx, { ...about, hash: hashKey(key), hint: key.slice(-4) })
  return { token: await openSession(tx, id, visit), key, developer: { id, email } }
}

/** Mails the owner of an address, if there is one, that somebody tried to sign up with it. */
export async function notifyOwner(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  email: string,
  at: Date,
): Promise<void> {
  const owner: DeveloperRow | undefined = await selectOptionalDeveloper(db, email)
  if (!owner) return
  await throttle(db, throttles.triedToEmail, email, at)
  await sendMail(triedMail({ to: owner.email, publicUrl: settings.publicUrl }))
}
