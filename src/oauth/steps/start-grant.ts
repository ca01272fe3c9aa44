import { randomUUIDv7 } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { scopesOfRole } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import { type Audited, recordAudit } from '../../contract/audit.ts'
import { requireMember } from '../../contract/members.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { kindOf } from '../rules/clients.ts'
import { consumeArtifact } from '../store/artifacts.ts'
import { type ClientMetadata, selectOptionalClient, upsertClient } from '../store/clients.ts'
import { insertGrant, lockOptionalRole } from '../store/grants.ts'

type Start = {
  client: { id: string; name: string; metadata: ClientMetadata; hash: Buffer }
  developerId: string
  accountId: string
  /** those to which the person agreed */
  scopes: readonly Scope[]
  resources: readonly string[]
  redirectUri: string
  /** the request that the person answers, which gives one grant */
  uid?: string
  by: Omit<Audited, 'actor' | 'account' | 'at'>
}

/** Why a request can no longer be answered. */
export const ANSWERED = 'This request to connect a program has expired or was answered already.'

/**
 * Stores what a member allows a client to do, at most what their role may do now; returns its id.
 * Throws `role_required` for somebody who is no member of the account, and `factor_required` for a
 * member without the second factor that it demands.
 */
export async function startGrant(
  { db, sealer }: { db: Pool; sealer: Sealer },
  { client, developerId, accountId, resources, redirectUri, uid, by, ...asked }: Start,
): Promise<string> {
  const id = randomUUIDv7()
  const at = new Date()
  await transaction(db, async (tx) => {
    if (uid && !(await consumeArtifact(tx, uid, at)))
      throw refuse('authorization_refused', ANSWERED)
    const role = await lockOptionalRole(tx, { developerId, accountId })
    if (!role) throw refuse('role_required', 'You are not a member of this account.')
    const actor = { kind: 'member', id: developerId } as const
    const account = { id: accountId }
    await requireMember(tx, { actor, account }, { what: 'see', part: 'start' })
    const scopes = scopesOfRole(role, asked.scopes)
    const stored = await selectOptionalClient(tx, client.id)
    const clientId =
      stored && kindOf(client.id) !== 'document'
        ? stored.id
        : await upsertClient(tx, sealer, client.id, client.metadata, at)
    const grant = { id, clientId, developerId, accountId, scopes, resources, redirectUri }
    await insertGrant(tx, { ...grant, clientHash: client.hash, at })
    const change = { id, name: client.name, details: { client: client.id, scopes } }
    const audited = { ...by, actor, account, at }
    await recordAudit(tx, audited, 'connection.started', change)
  })
  return id
}
