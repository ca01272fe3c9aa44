import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { hashKey } from '../../accounts/store/key-secret.ts'
import { rowsBefore } from '../../platform/database/continue-pass.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { TokenAudience } from '../rules/resources.ts'

/** What the authorization server stores under a secret that only its holder knows. */
export type Artifact = {
  kind: string
  value: string
  grantId: string | null
  scopes: readonly string[] | null
  audience: TokenAudience | null
  payload: Record<string, unknown>
  expiresAt: Date
}

/** The context in which a payload is sealed. */
export const artifactContext = (id: string): string => `oauth_artifact/${id}`

/** Stores or replaces an artifact; false if its grant has ended. */
export function upsertArtifact(db: Db, sealer: Sealer, artifact: Artifact): Promise<boolean> {
  const id = randomUUIDv7()
  const { kind, value, grantId, scopes, audience, payload, expiresAt } = artifact
  const sealed = sealer.seal(JSON.stringify(payload), artifactContext(id))
  return query.affectsRow(db)`
    insert into oauth_artifact (id, kind, hash, grant_id, scopes, audience, payload, expires_at)
    select ${id}, ${kind}, ${hashKey(value)}, ${grantId}::uuid, ${scopes}::text[],
      ${audience}::text, ${sealed}, ${expiresAt}
    where ${grantId}::uuid is null
      or exists (select from oauth_grant where id = ${grantId} for key share)
    on conflict (hash) do update set id = excluded.id, payload = excluded.payload,
      expires_at = excluded.expires_at`
}

const artifactRow = z.object({
  id: z.uuid(),
  payload: z.string(),
  consumed_at: z.date().nullable(),
})

/** An artifact's payload, as it was stored. */
export async function selectOptionalArtifact(
  db: Db,
  sealer: Sealer,
  { kind, value }: Pick<Artifact, 'kind' | 'value'>,
): Promise<Record<string, unknown> | undefined> {
  const row = await query.optionalRow(db, artifactRow)`
    select id, payload, consumed_at from oauth_artifact
    where hash = ${hashKey(value)} and kind = ${kind}`
  if (!row) return undefined
  const payload = JSON.parse(sealer.open(row.payload, artifactContext(row.id)))
  return row.consumed_at ? { ...payload, consumed: row.consumed_at.getTime() / 1000 } : payload
}

/** Marks a code or refresh token as used; false if it was used before. */
export const consumeArtifact = (db: Db, value: string, at: Date) =>
  query.affectsRow(db)`
    update oauth_artifact set consumed_at = ${at}
    where hash = ${hashKey(value)} and consumed_at is null`

export const deleteArtifact = (db: Db, value: string) =>
  query.execute(db)`delete from oauth_artifact where hash = ${hashKey(value)}`

/** Artifacts that have expired. */
export const expiredArtifacts = (at: Date) => rowsBefore('oauth_artifact', 'expires_at', at, 'id')
