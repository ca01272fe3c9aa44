import canonicalize from 'canonicalize'
import { refuse } from '../base/errors.ts'
import type { Db } from '../platform/database/sql.ts'
import { insertUse, selectOptionalUse } from '../platform/database/used-keys.ts'
import type { Egress } from '../platform/http/egress.ts'
import { accountOf, type Context } from './operation.ts'

/** What digesting a body needs of a context. */
type Digesting = { egress: Pick<Egress, 'digests'> }

/** What claiming an idempotency key needs of a context. */
export type Claiming = Pick<Context, 'account' | 'at'> & Digesting

/** The digest of a body to store, and whether a stored one is of an equal body. */
export type BodyDigest = { newest: Buffer; equals(stored: Buffer): boolean }

/**
 * Digests a body as RFC 8785 writes it, so that the order of members does not matter. With a key,
 * because a body may hold secrets or a guest's details, and those can be guessed.
 */
export function digestOf({ egress }: Digesting, body: unknown): BodyDigest {
  const digests = egress.digests(canonicalize(body) ?? '')
  const [newest] = digests
  if (!newest) throw new Error('there is no key to digest with')
  return { newest, equals: (stored) => digests.some((digest) => digest.equals(stored)) }
}

/** `asked` may hold secrets: only its digest is stored. */
type KeyedUse = { operation: string; subjectId: string; asked: Record<string, unknown> }

/**
 * Claims an idempotency key for `subjectId`. Returns the subject of an earlier use instead, if
 * there was one; undefined without a key. Throws `idempotency_mismatch`.
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
