import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { clearThrottle, throttle, throttleKey } from '../../platform/database/throttle.ts'
import { verifyPassword } from '../../platform/sealing/password-secret.ts'
import { throttles } from '../rules/sign-in.ts'
import { deviceOf } from '../steps/known-device.ts'
import { lockPassword, selectOptionalDeveloper } from '../store/developers.ts'
import { noteSignIn } from '../store/sign-in-places.ts'
import { openSession, type Visit } from './sessions.ts'

export type Credentials = { email: string; password: string }

type Deps = Pick<Services, 'db' | 'egress'>

/**
 * Returns the token of a new session, and the address to notify (`notify`) if the device or
 * the network address is new. A wrong password and an unknown address take the same work and throw
 * `sign_in_failed`. Throws `too_many_tries` and `overloaded`.
 */
export async function signIn({ db, egress }: Deps, { email, password }: Credentials, visit: Visit) {
  const { at, address, deviceToken } = visit
  const developer = await selectOptionalDeveloper(db, email)
  const device = developer && deviceOf(egress, developer, deviceToken)
  const [limit, who, inAll] = device
    ? ([throttles.signInByDevice, device, throttles.signInByDevices] as const)
    : ([throttles.signInHere, `${address} ${email}`, throttles.signInByEmail] as const)
  if (!device) await throttle(db, throttles.signInByAddress, address, at)
  await throttle(db, limit, who, at)
  await throttle(db, inAll, email, at)
  const isRight = await verifyPassword(password, developer?.password_hash, visit.address)
  if (!developer || !isRight) throw refuse('sign_in_failed')
  const session = await transaction(db, async (tx) => {
    // If the password changed during the comparison, no session may begin.
    if (!(await lockPassword(tx, developer.id, developer.password_hash))) {
      throw refuse('sign_in_failed')
    }
    const isNewPlace = await noteSignIn(tx, developer.id, visit)
    const token = await openSession(tx, developer.id, visit)
    return { token, noticeTo: isNewPlace ? developer.email : undefined }
  })
  await clearThrottle(db, throttleKey(limit, who))
  return session
}
