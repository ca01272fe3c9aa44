import canonicalize from 'canonicalize'
import { refuse } from '../base/errors.ts'
import type { Db } from '../platform/database/sql.ts'
import { insertUse, selectOptionalUse } from '../platform/database/used-keys.ts'
import type { Egress } from '../platform/http/egress.ts'
import { accountOf, type Context } from './operation.ts'

/** The part of a context that digesting a body needs. */
type Digesting = { egress: Pick<Egress, 'digests'> }

/** The part of a context that claiming an idempotency key needs. */
export type Claiming = Pick<Context, 'account' | 'at'> & Digesting

/** The digest of a body to store, and a comparison with a stored one. */
export type BodyDigest = { newest: Buffer; equals(other: Buffer): boolean }

/**
 * Digests a body as RFC 8785 writes it, so that the order of members does not matter. Keyed,
 * because a body may hold secrets or guest details, which can be guessed.
 */
export function digestOf({ egress }: Digesting, body: unknown): BodyDigest {
  const digests = egress.digests(canonicalize(body) ?? '')
  const [newest] = digests
  if (!newest) throw new Error('there is no key to digest with')
  return { newest, equals: (other) => digests.some((digest) => digest.equals(other)) }
}

/** `asked` may hold secrets: store only its digest. */
type KeyedUse = { operation: string; subjectId: string; asked: Record<string, unknown> }

/**
 * Claims an idempotency key for `subjectId`. Returns the subject of an earlier use, if there was
 * one; undefined without a key. Throws `idempotency_mismatch`.
 */
export async function earlierUse(
  tx: Db,
  ctx: Claiming,
  key: string | undefined,
  { operation, subjectId, asked }: KeyedUse,
) {
  if (key === undefined) return undefined
  const accountId = accountOf(ctx).id
  const digest = digestOf(ctx, asked)
  const use = { accountId, key, operation, subjectId, bodyHash: digest.newest, at: ctx.at }
  if (await insertUse(tx, use)) return undefined
  const earlier = await selectOptionalUse(tx, accountId, key)
  if (earlier?.operation !== operation || !digest.equals(earlier.body_hash)) {
    throw refuse('idempotency_mismatch')
  }
  return earlier.subject_id
}
