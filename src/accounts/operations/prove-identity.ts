import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { verifySync } from 'otplib'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { clearThrottle, throttle, throttleKey } from '../../platform/database/throttle.ts'
import { verifyPassword } from '../../platform/sealing/password-secret.ts'
import * as rules from '../rules/second-factors.ts'
import { repeatedSince, throttles } from '../rules/sign-in.ts'
import { deleteSession, hasBegun, updateSessionProved } from '../store/developer-sessions.ts'
import { lockPassword, selectOptionalDeveloper } from '../store/developers.ts'
import * as stored from '../store/second-factors.ts'
import { noteSignIn } from '../store/sign-in-places.ts'
import { hashToken } from '../store/token-secret.ts'
import { openSession, recordEverywhere, type Visit } from './sessions.ts'

/** A session; without `proved_at`, it still lacks its second factor. */
export type Prover = { id: string; email: string; session_id: string; proved_at: Date | null }

/**
 * `token` begins a session if a sign-in is complete. `noticeTo`: notify it of a new place.
 * `codesLeft`: a recovery code was used; notify the developer.
 */
export type Proof = { token?: string; noticeTo?: string | undefined; codesLeft?: number }

type Deps = Pick<Services, 'db' | 'settings'>
type CodeDeps = Pick<Services, 'db' | 'egress'>

/** Loaded by the first use of a passkey, because it takes 10 MB. */
export const webauthn = () => import('@simplewebauthn/server')

/** The domain of this server's passkeys; throws `factor_failed` if browsers allow none there. */
export function relyingParty({ settings }: Pick<Services, 'settings'>) {
  const party = rules.relyingPartyOf(settings.publicUrl)
  if (!party) throw refuse('factor_failed', 'Passkeys need a domain with HTTPS.')
  return party
}

/** What a browser needs to sign with a passkey. Throws `too_many_tries` and `factor_failed`. */
export async function offerPasskey(services: Deps, prover: Prover | null, { at, address }: Visit) {
  const { db } = services
  const { id: rpID } = relyingParty(services)
  await throttle(db, throttles.challengeByAddress, prover?.session_id ?? address, at)
  const factors = prover ? await stored.selectFactors(db, prover.id) : []
  const { generateAuthenticationOptions } = await webauthn()
  const options = await generateAuthenticationOptions({
    rpID,
    allowCredentials: factors.flatMap(({ credential_id: id }) => (id ? [{ id }] : [])),
    userVerification: 'required',
  })
  const { challenge } = options
  await stored.insertChallenge(db, { challenge, sessionId: prover?.session_id ?? null }, at)
  return options
}

const handleOf = (id: string): string => Buffer.from(id).toString('base64url')

const assertion = z.looseObject({
  id: z.string(),
  response: z.looseObject({ userHandle: z.string().optional() }),
})

/** The JSON that the passkey's form contains; undefined if it is not JSON. */
export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Proves identity with a passkey, which alone can sign a visitor in. Throws `factor_failed`. */
export async function proveByPasskey(
  services: Deps,
  prover: Prover | null,
  credential: string,
  visit: Visit,
): Promise<Proof> {
  const { db } = services
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(services)
  const { data: response } = assertion.safeParse(readJson(credential))
  const passkey = response && (await stored.selectOptionalPasskey(db, response.id))
  if (!passkey || (prover && prover.id !== passkey.developer_id)) throw refuse('factor_failed')
  // WebAuthn, 7.2, step 6: the user handle identifies the owner of the credential.
  const { userHandle } = response.response
  if (userHandle !== undefined ? userHandle !== handleOf(passkey.developer_id) : !prover) {
    throw refuse('factor_failed')
  }
  const sessionId = prover?.session_id ?? null
  const { id: factorId, public_key: publicKey, counter } = passkey
  const { verifyAuthenticationResponse } = await webauthn()
  const result = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: (challenge) =>
      stored.deleteChallenge(db, { challenge, sessionId }, visit.at),
    ...{ expectedOrigin, expectedRPID, requireUserVerification: true },
    credential: { id: response.id, publicKey: new Uint8Array(publicKey), counter },
  }).catch(() => undefined)
  if (!result?.verified) throw refuse('factor_failed')
  const { newCounter } = result.authenticationInfo
  return transaction(db, async (tx) => {
    await stored.lockFactors(tx, passkey.developer_id)
    if (!(await stored.updateFactorUsed(tx, factorId, newCounter, visit.at))) {
      throw refuse('factor_failed')
    }
    return prove(tx, { id: passkey.developer_id, email: passkey.email }, prover, visit)
  })
}

/** A code as it was typed, and the token of the browser's session. */
type Typed = { text: string; session: string | undefined }

/** The token of the session that a code completes: the same for a form that is sent twice. */
const tokenAfter = ({ egress }: CodeDeps, { text, session }: Typed): string | undefined =>
  egress.tokens('second factor', `${session} ${rules.plainCode(text)}`)[0]?.toString('base64url')

/** The proof that the same form, sent twice by a second click, has just given in this browser. */
export async function proveAgain(deps: CodeDeps, typed: Typed, { at }: Visit) {
  const token = tokenAfter(deps, typed)
  if (!token || !typed.session) return undefined
  return (await hasBegun(deps.db, hashToken(token), repeatedSince(at))) ? { token } : undefined
}

/**
 * Proves identity with a code of the authenticator app, whose six digits can be guessed, or with a
 * recovery code. Throws `factor_failed` and `too_many_tries`.
 */
export async function proveByCode(
  deps: CodeDeps,
  prover: Prover,
  typed: Typed,
  visit: Visit,
): Promise<Proof> {
  const { db, egress } = deps
  const { id } = prover
  const code = rules.plainCode(typed.text)
  const token = tokenAfter(deps, typed)
  const isTotp = rules.isTotpCode(code)
  const [limit, who] = isTotp
    ? ([throttles.codeByDeveloper, id] as const)
    : ([throttles.passwordBySession, prover.session_id] as const)
  await throttle(db, limit, who, visit.at)
  const proof = await transaction(db, async (tx) => {
    await stored.lockFactors(tx, id)
    if (isTotp) {
      const totp = await stored.selectOptionalTotp(tx, id)
      const step =
        totp && stepOf(egress.open(totp.secret, stored.totpContext(totp.id)), code, visit)
      if (!step || !(await stored.updateFactorUsed(tx, totp.id, step, visit.at))) {
        throw refuse('factor_failed')
      }
      return prove(tx, prover, prover, visit, token)
    }
    if (!(await stored.deleteRecoveryCode(tx, id, code))) throw refuse('factor_failed')
    await recordEverywhere(tx, id, visit, 'factor.code_used')
    const codesLeft = await stored.countRecoveryCodes(tx, id)
    return { ...(await prove(tx, prover, prover, visit, token)), codesLeft }
  })
  await clearThrottle(db, throttleKey(limit, who))
  return proof
}

/** The time step of a TOTP code (RFC 6238), at most 30 s early or late; undefined if wrong. */
export function stepOf(secret: string, token: string, { at }: Pick<Visit, 'at'>) {
  const epoch = Math.floor(at.getTime() / 1000)
  const result = verifySync({ secret, token, epoch, epochTolerance: 30 })
  return result.valid && 'timeStep' in result ? result.timeStep : undefined
}

/**
 * Proves the identity of a developer without a second factor. Throws `wrong_password`,
 * `too_many_tries`, `overloaded` and, for a developer with a second factor, `factor_failed`.
 */
export async function proveByPassword(
  { db }: Pick<Services, 'db'>,
  prover: Prover,
  password: string,
  visit: Visit,
): Promise<Proof> {
  await throttle(db, throttles.passwordBySession, prover.session_id, visit.at)
  const developer = await selectOptionalDeveloper(db, prover.email)
  const isRight = await verifyPassword(password, developer?.password_hash, visit.address)
  if (!developer || !isRight) throw refuse('wrong_password')
  return transaction(db, async (tx) => {
    if (!(await lockPassword(tx, developer.id, developer.password_hash))) {
      throw refuse('wrong_password')
    }
    if (await stored.hasFactor(tx, developer.id)) throw refuse('factor_failed')
    return prove(tx, prover, prover, visit)
  })
}

/** Completes a sign-in, or notes that the developer of a session has proved who they are. */
async function prove(
  tx: Db,
  { id, email }: { id: string; email: string },
  session: Prover | null,
  visit: Visit,
  token?: string,
): Promise<Proof> {
  const isOpen =
    !session ||
    (session.proved_at
      ? await updateSessionProved(tx, session.session_id, visit.at)
      : (await deleteSession(tx, id, session.session_id)) !== undefined)
  if (!isOpen) throw refuse('sign_in_failed', 'Your sign-in has expired.')
  if (session?.proved_at) return {}
  const isNewPlace = await noteSignIn(tx, id, visit)
  return {
    token: await openSession(tx, id, visit, visit.at, token),
    noticeTo: isNewPlace ? email : undefined,
  }
}
