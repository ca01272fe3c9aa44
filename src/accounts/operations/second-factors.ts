import { randomUUIDv7 } from 'node:crypto'
import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { generateURI } from 'otplib'
import { refuse } from '../../base/errors.ts'
import { networkProfile } from '../../base/network.ts'
import { recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { isTotpCode, plainCode, provedSince } from '../rules/second-factors.ts'
import { deleteSessions, lockProvedSession } from '../store/developer-sessions.ts'
import * as stored from '../store/second-factors.ts'
import { lockAsOwner } from './members.ts'
import { readJson, relyingParty, stepOf, webauthn } from './prove-identity.ts'
import { byMember, recordEverywhere, type SignedIn, type Visit } from './sessions.ts'

type Own = SignedIn & { email: string; is_verified: boolean }

/** A developer's second factors, and how many recovery codes are left. */
export async function listFactors({ db }: Pick<Services, 'db'>, developerId: string) {
  const factors = await stored.selectFactors(db, developerId)
  return { factors, codesLeft: await stored.countRecoveryCodes(db, developerId) }
}

/** The address that an authenticator app reads from a QR code. */
export const totpAddress = (email: string, secret: string): string =>
  generateURI({ issuer: networkProfile.name, label: email, secret })

/** EdDSA, ES256 and RS256 (COSE); the credentials of others can be larger than a form. */
const algorithms = { supportedAlgorithmIDs: [-8, -7, -257] }

/** What a browser needs to create a passkey that can sign in by itself. */
export async function offerNewPasskey(
  services: Pick<Services, 'db' | 'settings'>,
  { id, email, session_id: sessionId }: Own,
  { at }: Visit,
) {
  const factors = await stored.selectFactors(services.db, id)
  const { generateRegistrationOptions } = await webauthn()
  const options = await generateRegistrationOptions({
    rpName: networkProfile.name,
    rpID: relyingParty(services).id,
    userName: email,
    userID: new TextEncoder().encode(id),
    excludeCredentials: factors.flatMap(({ credential_id: own }) => (own ? [{ id: own }] : [])),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    ...algorithms,
  })
  await stored.insertChallenge(services.db, { challenge: options.challenge, sessionId }, at)
  return options
}

/** Adds a passkey, named after the device. Returns and throws as `add`, and `factor_failed`. */
export async function addPasskey(
  services: Pick<Services, 'db' | 'settings'>,
  who: Own,
  credential: string,
  visit: Visit,
): Promise<string[] | undefined> {
  const { db } = services
  const { id: expectedRPID, origin: expectedOrigin } = relyingParty(services)
  const sessionId = who.session_id
  const { verifyRegistrationResponse } = await webauthn()
  const result = await verifyRegistrationResponse({
    response: readJson(credential) as RegistrationResponseJSON,
    expectedChallenge: (challenge) =>
      stored.deleteChallenge(db, { challenge, sessionId }, visit.at),
    ...{ expectedOrigin, expectedRPID, ...algorithms },
  }).catch(() => undefined)
  if (!result?.verified) throw refuse('factor_failed')
  const { id: credentialId, publicKey, counter } = result.registrationInfo.credential
  const name = `Passkey, ${visit.device}`.slice(0, 100)
  return add(db, who, { id: randomUUIDv7(), name, counter, credentialId, publicKey }, visit)
}

/** Adds an authenticator app that shows the code of its secret, like `addPasskey`. */
export async function addTotp(
  { db, egress }: Pick<Services, 'db' | 'egress'>,
  who: Own,
  { secret, ...input }: { secret: string; code: string },
  visit: Visit,
): Promise<string[] | undefined> {
  const code = plainCode(input.code)
  const counter = isTotpCode(code) && stepOf(secret, code, visit)
  if (!counter) throw refuse('factor_failed')
  const id = randomUUIDv7()
  const sealed = egress.seal(secret, stored.totpContext(id))
  return add(db, who, { id, name: 'Authenticator app', counter, secret: sealed }, visit)
}

type Work<T> = (tx: Db) => Promise<T>

/** Throws `proof_expired` unless the developer has just proved their identity in this session. */
const change = <T>(db: Pool, who: SignedIn, { at }: Visit, work: Work<T>): Promise<T> =>
  transaction(db, async (tx) => {
    await stored.lockFactors(tx, who.id)
    if (await lockProvedSession(tx, who.session_id, provedSince(at))) return work(tx)
    throw refuse('proof_expired')
  })

/**
 * Adds a factor and ends all other sessions, which did not need it. Returns the recovery codes that
 * come with the first one. Whoever opened an account with the address of somebody else must not
 * keep its owner out, so the address has to be verified. Throws `email_unverified`, `proof_expired`
 * and, for one factor too many, `factor_failed`.
 */
const add = (db: Pool, who: Own, factor: stored.Factor, visit: Visit) =>
  change(db, who, visit, async (tx) => {
    if (!who.is_verified) throw refuse('email_unverified')
    const isFirst = !(await stored.hasFactor(tx, who.id))
    const row = { ...factor, developerId: who.id, at: visit.at }
    if (!(await stored.insertFactor(tx, row))) {
      throw refuse('factor_failed', 'It is there already, or there are too many.')
    }
    await deleteSessions(tx, who.id, who.session_id)
    const { id, name } = factor
    await recordEverywhere(tx, who.id, visit, 'factor.added', { id, name })
    return isFirst ? stored.replaceRecoveryCodes(tx, who.id) : undefined
  })

/** Removes a factor and ends all other sessions. Throws `proof_expired`. */
export const removeFactor = ({ db }: Pick<Services, 'db'>, who: Own, id: string, visit: Visit) =>
  change(db, who, visit, async (tx) => {
    const removed = await stored.deleteFactors(tx, who.id, id)
    if (removed.length > 0) await deleteSessions(tx, who.id, who.session_id)
    for (const factor of removed) {
      await recordEverywhere(tx, who.id, visit, 'factor.removed', factor)
    }
    return removed.length > 0
  })

/** Replaces a developer's recovery codes and returns them. Throws `proof_expired`. */
export const makeRecoveryCodes = ({ db }: Pick<Services, 'db'>, who: Own, visit: Visit) =>
  change(db, who, visit, async (tx) => {
    if (!(await stored.hasFactor(tx, who.id))) throw refuse('factor_required')
    await recordEverywhere(tx, who.id, visit, 'factor.codes_made')
    return stored.replaceRecoveryCodes(tx, who.id)
  })

/**
 * Demands a second factor of an account's members, or no longer. Throws `proof_expired`,
 * `role_required` and, from an owner who has no second factor, `factor_required`.
 */
export const requireFactors = (
  { db }: Pick<Services, 'db'>,
  who: Own,
  required: boolean,
  visit: Visit,
): Promise<void> =>
  change(db, who, visit, async (tx) => {
    await lockAsOwner(tx, who)
    if (!(await stored.hasFactor(tx, who.id))) throw refuse('factor_required')
    if (!(await stored.updateRequiresFactor(tx, who.account_id, required))) return
    const by = byMember({ id: who.id, accountId: who.account_id }, visit)
    await recordAudit(tx, by, 'account.factor_changed', { details: { required } })
  })
