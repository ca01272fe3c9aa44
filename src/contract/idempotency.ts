import canonicalize from 'canonicalize'
import { refuse } from '../base/errors.ts'
import type { Db } from '../platform/database/sql.ts'
import { insertUse, selectOptionalUse } from '../platform/database/used-keys.ts'
import type { Egress } from '../platform/http/egress.ts'
import { accountOf, type Context } from './operation.ts'

/** The part of a context needed to digest a body. */
type Digesting = { egress: Pick<Egress, 'digests'> }

/** The part of a context needed to claim an idempotency key. */
export type Claiming = Pick<Context, 'account' | 'at'> & Digesting

/** The digest of a body to store, and a function that compares it with a stored one. */
export type BodyDigest = { newest: Buffer; equals(other: Buffer): boolean }

/**
 * Digests a body in RFC 8785 form, so that the order of members does not matter. The digest is
 * keyed, because secrets or guest details in a body could be guessed.
 */
export function digestOf({ egress }: Digesting, body: unknown): BodyDigest {
  const digests = egress.digests(canonicalize(body) ?? '')
  const [newest] = digests
  if (!newest) throw new Error('there is no key to digest with')
  return { newest, equals: (other) => digests.some((digest) => digest.equals(other)) }
}

/** `asked` may contain secrets, so only its digest is stored. */
type KeyedUse = { operation: string; subjectId: string; asked: Record<string, unknown> }

/**
 * Claims an idempotency key for `subjectId`. Returns the subject of an earlier use; undefined if
 * there was none or no key was given. Throws `idempotency_mismatch`.
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
