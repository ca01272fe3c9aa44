import { randomUUIDv7 } from 'node:crypto'
import type { AuditAction } from '../../base/audit-actions.ts'
import { DAY_MS, MINUTE_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import type { Services } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { PROOF_MINUTES } from '../rules/second-factors.ts'
import { MAX_SESSIONS, SESSION_IDLE_DAYS } from '../rules/sign-in.ts'
import * as stored from '../store/developer-sessions.ts'
import { deleteGrantsOf, insertOwnAccount, selectMemberships } from '../store/members.ts'
import { hasFactor } from '../store/second-factors.ts'
import { hashToken, newToken } from '../store/token-secret.ts'

type WithDb = Pick<Services, 'db'>

/**
 * A call from a browser: its time, network address, device description, and the unvalidated token
 * of an earlier sign-in.
 */
export type Visit = { at: Date; address: string; device: string; deviceToken?: string | undefined }

/** A developer in an account, as the actor in audit entries. */
export const byMember = (
  { id, accountId }: { id: string; accountId: string },
  { at, address }: Pick<Visit, 'at' | 'address'>,
): Audited => ({
  actor: { kind: 'member', id },
  account: { id: accountId },
  door: 'dashboard',
  address,
  requestId: null,
  at,
})

/** Records a developer's change in the audit log of each account they belong to. */
export async function recordEverywhere(
  tx: Db,
  developerId: string,
  visit: Visit,
  action: AuditAction,
  change: Parameters<typeof recordAudit>[3] = {},
): Promise<void> {
  for (const { account_id: accountId } of await selectMemberships(tx, developerId)) {
    await recordAudit(tx, byMember({ id: developerId, accountId }, visit), action, change)
  }
}

/** Disconnects all assistants that a developer has allowed, and records it in each account. */
export async function disconnectAssistants(tx: Db, developerId: string, visit: Visit) {
  for (const { id, account_id: accountId, client: name } of await deleteGrantsOf(tx, developerId)) {
    const by = byMember({ id: developerId, accountId }, visit)
    await recordAudit(tx, by, 'connection.ended', { id, name })
  }
}

/**
 * Begins a session in the account that the developer last chose, and returns its token. Opens an
 * account for a developer who has none; ends the oldest session if there are too many. If the
 * developer has a second factor, `factorAt` is when it was last given, and without that the session
 * only opens the page that asks for it. Locked passwords and factors make that certain.
 */
export async function openSession(
  tx: Db,
  developerId: string,
  visit: Visit,
  factorAt: Date | null = null,
  token: string = newToken(),
) {
  const { at, device } = visit
  const provedAt = (await hasFactor(tx, developerId)) ? factorAt : at
  const isProved = provedAt !== null
  const ms = isProved ? SESSION_IDLE_DAYS * DAY_MS : PROOF_MINUTES * MINUTE_MS
  const expiresAt = new Date(at.getTime() + ms)
  const accountId = await accountFor(tx, developerId, visit)
  const session = { id: randomUUIDv7(), developerId, accountId, device, at, expiresAt, provedAt }
  await stored.insertSession(tx, { ...session, tokenHash: hashToken(token) })
  await stored.deleteOldSessions(tx, developerId, MAX_SESSIONS, isProved)
  if (!isProved) return token
  const by = byMember({ id: developerId, accountId }, visit)
  await recordAudit(tx, by, 'session.started', { id: session.id, name: device })
  return token
}

async function accountFor(tx: Db, developerId: string, visit: Visit): Promise<string> {
  const [last] = await selectMemberships(tx, developerId)
  if (last) return last.account_id
  const accountId = randomUUIDv7()
  await insertOwnAccount(tx, { accountId, developerId, at: visit.at })
  await recordAudit(tx, byMember({ id: developerId, accountId }, visit), 'account.created')
  return accountId
}

/** A developer's open sessions, most recently used first. */
export const listSessions = ({ db }: WithDb, developerId: string, at: Date) =>
  stored.selectSessions(db, developerId, at)
export type OwnSession = stored.ListedSession

/** The signed-in developer, with account and session. */
export type SignedIn = { id: string; account_id: string; session_id: string }

const by = ({ id, account_id: accountId }: SignedIn, visit: Visit) =>
  byMember({ id, accountId }, visit)

/** Ends one of the developer's sessions; throws `page_not_found` for any other. */
export async function endSession(services: WithDb, who: SignedIn, id: string, visit: Visit) {
  if (await leaveSession(services, { ...who, session_id: id }, visit)) return
  throw refuse('page_not_found', 'No such session: it may have ended already.')
}

/** Signs out of the current session; false if it has already ended. */
export const leaveSession = ({ db }: WithDb, who: SignedIn, visit: Visit): Promise<boolean> =>
  transaction(db, async (tx) => {
    const device = await stored.deleteSession(tx, who.id, who.session_id)
    if (device === undefined) return false
    const change = { id: who.session_id, name: device }
    await recordAudit(tx, by(who, visit), 'session.ended', change)
    return true
  })

/** Ends all of a developer's sessions but the current one and, with `disconnects`, assistants. */
export const endOtherSessions = (
  { db }: WithDb,
  who: SignedIn & { disconnects: boolean },
  visit: Visit,
): Promise<void> =>
  transaction(db, async (tx) => {
    if (who.disconnects) await disconnectAssistants(tx, who.id, visit)
    const sessions = await stored.deleteSessions(tx, who.id, who.session_id)
    if (sessions === 0) return
    const change = { details: { sessions, kept: who.session_id } }
    await recordAudit(tx, by(who, visit), 'session.ended', change)
  })
