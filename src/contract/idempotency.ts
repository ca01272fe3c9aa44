import canonicalize from 'canonicalize'
import type { Db } from '../platform/database/sql.ts'
import { insertUse, selectOptionalUse } from '../platform/database/used-keys.ts'
import { accountOf, type Context } from './operation.ts'
import { refuse } from './rules/errors.ts'

/** `asked` may hold secrets: only a keyed digest of it is stored. */
type KeyedUse = { operation: string; subjectId: string; asked: Record<string, unknown> }

/**
 * Claims an idempotency key for `subjectId`. Returns the subject of an earlier use instead, if
 * there was one; undefined without a key. Throws `idempotency_mismatch`.
 */
export async function earlierUse(
  tx: Db,
  ctx: Context,
  key: string | undefined,
  { operation, subjectId, asked }: KeyedUse,
) {
  if (key === undefined) return undefined
  const accountId = accountOf(ctx).id
  const [bodyHash, ...older] = ctx.egress.digests(canonicalize(asked) ?? '')
  if (!bodyHash) throw new Error('there is no key to digest with')
  const use = { accountId, key, operation, subjectId, bodyHash, at: ctx.at }
  if (await insertUse(tx, use)) return undefined
  const earlier = await selectOptionalUse(tx, accountId, key)
  const isSame = [bodyHash, ...older].some((digest) => earlier?.body_hash.equals(digest))
  if (earlier?.operation !== operation || !isSame) throw refuse('idempotency_mismatch')
  return earlier.subject_id
}
