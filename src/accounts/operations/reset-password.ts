import { deleteAgentsOf } from '../../agents/store/agents.ts'
import type { Services } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { deleteTries } from '../../platform/database/tries.ts'
import { type EndpointStart, PAUSE_SIGNAL } from '../../webhooks/rules/endpoint-messages.ts'
import { disableEndpointsOf } from '../../webhooks/store/endpoint-states.ts'
import { RESET_HOURS, repeatedSince, tryLimits } from '../rules/sign-in.ts'
import { deleteSessions } from '../store/developer-sessions.ts'
import {
  holdPassword,
  selectOptionalDeveloper,
  updatePassword,
  updateVerified,
} from '../store/developers.ts'
import { lockKeysOf, revokeKeysOf } from '../store/keys.ts'
import {
  deleteMailedTokens,
  insertMailedToken,
  isTokenGood,
  selectOptionalUsedToken,
  updateTokenUsed,
} from '../store/mailed-tokens.ts'
import { hashPassword, verifyPassword } from '../store/password-secret.ts'
import { hashToken, newToken } from '../store/token-secret.ts'
import { resetMail } from './account-mails.ts'
import { limitTries, triesOf } from './limit-tries.ts'
import { openSession, type Visit } from './open-session.ts'

const HOUR_MS = 3_600_000

/** Mails the link to a new password to whoever has this address; does nothing when nobody has. Throws `too_many_tries`. */
export async function sendReset(
  { db, sendMail, settings }: Pick<Services, 'db' | 'sendMail' | 'settings'>,
  email: string,
  at: Date,
): Promise<void> {
  const developer = await selectOptionalDeveloper(db, email)
  if (!developer) return
  await limitTries(db, tryLimits.resetToEmail, email, at)
  const token = newToken()
  const expiresAt = new Date(at.getTime() + RESET_HOURS * HOUR_MS)
  const kept = { hash: hashToken(token), purpose: 'reset_password' as const, at, expiresAt }
  await transaction(db, (tx) => insertMailedToken(tx, { ...kept, developerId: developer.id }))
  await sendMail(resetMail({ to: developer.email, publicUrl: settings.publicUrl }, token))
}

/** Whether a link to a new password still leads to one. */
export const isResetGood = ({ db }: Pick<Services, 'db'>, token: string, at: Date) =>
  isTokenGood(db, hashToken(token), 'reset_password', at)

/** The token of a new session; `isFirstProof` when nobody had proved the address before, so that what was made until then has ended. */
export type Reset = { token: string; isFirstProof: boolean }

/**
 * Sets the password of the link's owner, ends all their sessions, opens the address to sign-ins again and begins a new session. The address has
 * answered a mail by that; where it is the first, whoever opened the account need not be its owner, so its keys are revoked, its agents
 * taken off the network and its endpoints disabled with it. The same link with the same password once more, as by two clicks, begins another session. Throws `link_spent` and
 * `too_many_tries`.
 */
export async function resetPassword(
  { db, engine }: Pick<Services, 'db' | 'engine'>,
  asked: { token: string; password: string },
  visit: Visit,
): Promise<Reset> {
  await limitTries(db, tryLimits.resetByAddress, visit.address, visit.at)
  // Hashing takes long, and anybody can send a token.
  if (!(await isResetGood({ db }, asked.token, visit.at))) return resetAgain(db, asked, visit)
  const passwordHash = await hashPassword(asked.password)
  const done = await transaction(db, async (tx) => {
    const id = await updateTokenUsed(tx, hashToken(asked.token), 'reset_password', visit.at)
    if (!id) return undefined
    const email = await updatePassword(tx, id, { to: passwordHash })
    if (email) await deleteTries(tx, triesOf(tryLimits.signInByEmail, email))
    const accountId = await updateVerified(tx, id, visit.at)
    const proved = accountId ? await endUnproved(tx, accountId, visit.at) : undefined
    await deleteMailedTokens(tx, id, 'reset_password')
    await deleteSessions(tx, id)
    return { proved, token: await openSession(tx, id, visit) }
  })
  if (!done) return resetAgain(db, asked, visit)
  // Best effort: whoever sends looks at what is written down.
  for (const start of done.proved ?? []) {
    await engine.signalEndpoint(start, { name: PAUSE_SIGNAL }).catch(() => {})
  }
  return { token: done.token, isFirstProof: done.proved !== undefined }
}

async function resetAgain(
  db: Services['db'],
  { token, password }: { token: string; password: string },
  visit: Visit,
): Promise<Reset> {
  const since = repeatedSince(visit.at)
  const used = await selectOptionalUsedToken(db, hashToken(token), 'reset_password', since)
  if (!used || !(await verifyPassword(password, used.password_hash))) throw refuse('link_spent')
  return transaction(db, async (tx) => {
    const { developer_id: id, password_hash, is_first_proof: isFirstProof } = used
    if (!(await holdPassword(tx, id, password_hash))) throw refuse('link_spent')
    await deleteSessions(tx, id)
    return { token: await openSession(tx, id, visit), isFirstProof }
  })
}

/** Ends what an account could do while nobody had proved its address: its keys, its agents, and its endpoints, whose workflows are to be told. */
async function endUnproved(tx: Db, accountId: string, at: Date): Promise<EndpointStart[]> {
  await lockKeysOf(tx, accountId)
  await revokeKeysOf(tx, accountId, at)
  await deleteAgentsOf(tx, accountId, at)
  const endpoints = await disableEndpointsOf(tx, accountId, at)
  return endpoints.map((endpointId) => ({ endpointId, accountId }))
}
