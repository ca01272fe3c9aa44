import { deleteAgentsOf } from '../../agents/store/agents.ts'
import { refuse } from '../../base/errors.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import { clearThrottle, throttle, throttleKey } from '../../platform/database/throttle.ts'
import { hashPassword, verifyPassword } from '../../platform/sealing/password-secret.ts'
import { selectSandboxes } from '../../sandbox/store/sandboxes.ts'
import type { WebhookEngine } from '../../webhooks/engine.ts'
import { DELIVER_SIGNAL } from '../../webhooks/rules/endpoint-messages.ts'
import { disableEndpointsOf } from '../../webhooks/store/endpoint-states.ts'
import { repeatedSince, throttles } from '../rules/sign-in.ts'
import { deleteSessions } from '../store/developer-sessions.ts'
import { lockPassword, updatePassword, updateVerified } from '../store/developers.ts'
import { lockKeysOf, revokeKeysOf } from '../store/keys.ts'
import {
  deleteMailedTokens,
  selectOptionalUsableToken,
  selectOptionalUsedToken,
  updateTokenUsed,
} from '../store/mailed-tokens.ts'
import { selectMemberships } from '../store/members.ts'
import { noteSignIn } from '../store/sign-in-places.ts'
import { hashToken } from '../store/token-secret.ts'
import { disconnectAssistants, openSession, recordEverywhere, type Visit } from './sessions.ts'

/**
 * Whether using a reset link would verify the address for the first time; undefined if the link is
 * not (or no longer) valid.
 */
export async function readReset({ db }: Pick<Services, 'db'>, token: string, at: Date) {
  const link = await selectOptionalUsableToken(db, hashToken(token), 'reset_password', at)
  return link && { isFirstProof: !link.is_verified }
}

type Input = { token: string; password: string; disconnects: boolean }

/**
 * Sets the password of the link's owner, ends all sessions, resets the sign-in throttle and begins
 * a new session. Using the link verifies the address. The first time (`isFirstProof`), somebody
 * else may have opened the account, so its keys are revoked, its agents deleted, its endpoints
 * disabled and its assistants disconnected, as always with `disconnects`. `changed` is the address
 * to notify. Submitting the form again begins another session. Throws `link_already_used` and
 * `too_many_tries`.
 */
export async function resetPassword(
  { db, engine }: Pick<Services, 'db'> & { engine: Pick<WebhookEngine, 'signalEndpoint'> },
  input: Input,
  visit: Visit,
) {
  // Invalid tokens, which anybody can submit, must not count against others at the same address.
  if (!(await readReset({ db }, input.token, visit.at))) return resetAgain(db, input, visit)
  await throttle(db, throttles.resetByAddress, visit.address, visit.at)
  const passwordHash = await hashPassword(input.password, visit.address)
  const reset = await transaction(db, async (tx) => {
    const id = await updateTokenUsed(tx, hashToken(input.token), 'reset_password', visit.at)
    if (!id) return undefined
    const email = await updatePassword(tx, id, { to: passwordHash })
    for (const limit of [throttles.signInByEmail, throttles.signInByDevices]) {
      if (email) await clearThrottle(tx, throttleKey(limit, email))
    }
    const isFirst = await updateVerified(tx, id, visit.at)
    const proved = isFirst ? await endUnproved(tx, id, visit.at) : undefined
    await deleteMailedTokens(tx, id, 'reset_password')
    await deleteSessions(tx, id)
    if (isFirst || input.disconnects) await disconnectAssistants(tx, id, visit)
    const details = proved && { ended: ['keys', 'agents', 'endpoints', 'connections'] }
    await recordEverywhere(tx, id, visit, 'password.reset', { name: email, details })
    await noteSignIn(tx, id, visit)
    return { proved, email, token: await openSession(tx, id, visit) }
  })
  if (!reset) return resetAgain(db, input, visit)
  // Best effort, because the sender checks the endpoint's status anyway.
  for (const start of reset.proved ?? []) {
    await engine.signalEndpoint(start, { name: DELIVER_SIGNAL }).catch(() => {})
  }
  return { token: reset.token, changed: reset.email, isFirstProof: reset.proved !== undefined }
}

async function resetAgain(db: Pool, { token, password }: Input, visit: Visit) {
  const since = repeatedSince(visit.at)
  const used = await selectOptionalUsedToken(db, hashToken(token), 'reset_password', since)
  if (used) await throttle(db, throttles.resetByAddress, visit.address, visit.at)
  if (!used || !(await verifyPassword(password, used.password_hash, visit.address))) {
    throw refuse('link_already_used')
  }
  return transaction(db, async (tx) => {
    const { developer_id: id, password_hash, is_first_proof: isFirstProof } = used
    if (!(await lockPassword(tx, id, password_hash))) throw refuse('link_already_used')
    await deleteSessions(tx, id)
    return { token: await openSession(tx, id, visit), changed: undefined, isFirstProof }
  })
}

/**
 * Revokes keys, deletes agents and disables endpoints in all of a developer's accounts; returns the
 * endpoints to signal. An account whose owner is unverified has no other members.
 */
async function endUnproved(tx: Db, developerId: string, at: Date) {
  const toSignal: { endpointId: string; accountId: string }[] = []
  for (const { account_id: accountId } of await selectMemberships(tx, developerId)) {
    await lockKeysOf(tx, accountId)
    await revokeKeysOf(tx, accountId, at)
    await deleteAgentsOf(tx, accountId, at)
    for (const id of [accountId, ...(await selectSandboxes(tx, accountId))]) {
      const endpoints = await disableEndpointsOf(tx, id, at)
      toSignal.push(...endpoints.map((endpointId) => ({ endpointId, accountId: id })))
    }
  }
  return toSignal
}
