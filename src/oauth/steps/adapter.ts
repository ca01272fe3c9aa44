import { type Adapter, type AdapterPayload, errors } from 'oidc-provider'
import type { Pool } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { kindOf } from '../rules/clients.ts'
import { audienceOf } from '../rules/resources.ts'
import * as artifacts from '../store/artifacts.ts'
import { selectOptionalMetadata, upsertClient } from '../store/clients.ts'
import { selectOptionalGrant } from '../store/grants.ts'

export type AdapterDeps = {
  db: Pool
  sealer: Sealer
  publicUrl: string
  /** ends a grant with all its tokens */
  endGrant(id: string): Promise<unknown>
}

type Stored = Promise<AdapterPayload | undefined>
const nothing = async () => undefined
const none: Adapter = {
  upsert: nothing,
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
}

/**
 * Stores what oidc-provider must remember in PostgreSQL, where all API processes find it. Sessions
 * are not stored: the dashboard's session is the sign-in, and every request asks for consent.
 */
export function createAdapter(deps: AdapterDeps): (model: string) => Adapter {
  return (model) => {
    if (model === 'Session') return none
    if (model === 'Client') return clientAdapter(deps)
    if (model === 'Grant') return grantAdapter(deps)
    return artifactAdapter(model, deps)
  }
}

const clientAdapter = ({ db, sealer }: AdapterDeps): Adapter => ({
  ...none,
  async upsert(id, { client_id: _, ...metadata }) {
    await upsertClient(db, sealer, id, metadata, new Date())
  },
  // Documents are fetched instead; a stored one only stands in while its host is away.
  async find(id): Stored {
    if (kindOf(id) === 'document') return undefined
    const metadata = await selectOptionalMetadata(db, sealer, id)
    return metadata && { client_id: id, ...metadata }
  },
})

const GRANT_SECONDS = 86_400

/** A grant lives as long as its tokens, so it has no end of its own. */
const grantAdapter = ({ db, endGrant }: AdapterDeps): Adapter => ({
  ...none,
  async find(id): Stored {
    const row = await selectOptionalGrant(db, id)
    if (!row) return undefined
    const { client, developer_id, scopes, resources } = row
    const now = Math.floor(Date.now() / 1000)
    return {
      jti: id,
      kind: 'Grant',
      iat: now,
      exp: now + GRANT_SECONDS,
      accountId: developer_id,
      clientId: client,
      openid: { scope: 'offline_access' },
      resources: Object.fromEntries(resources.map((one) => [one, scopes.join(' ')])),
    }
  },
  async destroy(id) {
    await endGrant(id)
  },
})

const artifactAdapter = (
  kind: string,
  { db, sealer, publicUrl, endGrant }: AdapterDeps,
): Adapter => ({
  ...none,
  async upsert(value, payload, seconds = 0) {
    const { grantId, scope, aud } = payload
    const isToken = kind === 'AccessToken'
    const artifact = {
      kind,
      value,
      grantId: kind === 'Interaction' ? null : (grantId ?? null),
      scopes: isToken ? (scope?.split(' ').filter(Boolean) ?? []) : null,
      audience: (isToken && audienceOf(publicUrl, String(aud))) || null,
      payload,
      expiresAt: new Date(Date.now() + seconds * 1000),
    }
    if (!(await artifacts.upsertArtifact(db, sealer, artifact)))
      throw new errors.InvalidGrant('grant has ended')
  },
  find: (value): Stored => artifacts.selectOptionalArtifact(db, sealer, { kind, value }),
  /** If two requests use a code or refresh token at once, one of them is a replay. */
  async consume(value) {
    if (await artifacts.consumeArtifact(db, value, new Date())) return
    const replayed = await artifacts.selectOptionalArtifact(db, sealer, { kind, value })
    if (typeof replayed?.grantId === 'string') await endGrant(replayed.grantId)
    throw new errors.InvalidGrant('already used')
  },
  async destroy(value) {
    await artifacts.deleteArtifact(db, value)
  },
})
