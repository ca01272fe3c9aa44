import { z } from 'zod'
import { scopes } from '../model/scopes.ts'
import { type Db, queryRows } from './sql.ts'

const keyHolderRow = z.object({
  hash: z.instanceof(Buffer),
  key_id: z.uuid(),
  id: z.uuid(),
  name: z.string(),
  tier: z.enum(['free', 'pro']),
  requests_per_day: z.int().nullable(),
  scopes: z.array(z.enum(scopes)),
  registry: z.int(),
})
export type KeyHolderRow = z.infer<typeof keyHolderRow>

/**
 * The accounts behind those of the hashed keys that are valid at an instant, in no particular order. `registry` is the version of the
 * agents' registry then.
 */
export async function selectKeyHolders(
  db: Db,
  hashes: Buffer[],
  at: Date,
): Promise<KeyHolderRow[]> {
  return queryRows(
    db,
    keyHolderRow,
    `select k.hash, k.id as key_id, a.id, a.name, a.tier, a.requests_per_day, k.scopes,
       (select version from agent_registry) as registry
     from api_key k
     join account a on a.id = k.account_id
     where k.hash = any($1) and k.revoked_at is null
       and (k.expires_at is null or k.expires_at > $2)`,
    [hashes, at],
  )
}
