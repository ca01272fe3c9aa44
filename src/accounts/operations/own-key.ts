import { randomUUIDv7 } from 'node:crypto'
import { accountOf, type Context } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { invalidRequest } from '../../contract/rules/invalid-request.ts'
import type { Scope } from '../../contract/rules/scopes.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { TryLimit } from '../rules/sign-in.ts'
import type { ApiKey } from '../schema/keys.ts'
import { insertKey } from '../store/accounts.ts'
import { isProvedSince } from '../store/developers.ts'
import { hashKey, newRawKey } from '../store/key-secret.ts'
import {
  countValidKeys,
  lockKeysOf,
  type OwnKey,
  selectOptionalKeyOf,
  shownKey,
} from '../store/keys.ts'
import { limitTries } from './limit-tries.ts'

/** Keys of an account that are valid at the same time. */
export const MOST_KEYS = 100
/** Keys are kept when they have ended, so that they are found: this is what bounds their number. */
export const keysMade: TryLimit = { name: 'keys by account', most: 200, windowSeconds: 86_400 }

/** A key of the caller's account; throws `key_not_found`. */
export async function ownKey(db: Db, ctx: Context, id: string): Promise<OwnKey> {
  const found = await selectOptionalKeyOf(db, accountOf(ctx).id, id)
  if (!found) throw refuse('key_not_found')
  return found
}

/** The same as its account sees it now. */
export const shownOwnKey = async (ctx: Context, id: string): Promise<ApiKey> =>
  shownKey(await ownKey(ctx.db, ctx, id), ctx.at)

/** Throws `scope_required` when the caller would give a key what its own key does not have. */
export function refuseMore(ctx: Context, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !ctx.scopes.includes(scope))
  const [first] = missing
  if (!first) return
  throw refuse(
    'scope_required',
    `This key cannot give what it does not have: ${missing.join(', ')}.`,
    {
      required_scope: first,
      missing_scopes: missing,
    },
  )
}

/** Throws `invalid_request` for an end that has passed already. */
export function refusePast({ at }: Context, expiresAt: Date | null): void {
  if (expiresAt && expiresAt <= at) {
    throw invalidRequest([{ pointer: '/expires_at', detail: 'expected an instant in the future' }])
  }
}

export type NewOwnKey = {
  id: string
  /** exists in clear only here and in the answer */
  raw: string
  name: string
  scopes: readonly Scope[]
  expiresAt: Date | null
  /** the key that ends in this transaction and so takes no place any more */
  insteadOf: string | null
}

/**
 * Part of a transaction: a key of the caller's account, made while nobody else makes one. Throws `key_limit`, and `too_many_tries` when
 * the account has made so many within a day; `unauthenticated` when the address of the account was proved meanwhile.
 */
export async function addOwnKey(
  tx: Db,
  ctx: Context,
  { raw, insteadOf, ...key }: NewOwnKey,
): Promise<void> {
  const accountId = accountOf(ctx).id
  await lockKeysOf(tx, accountId)
  // Whose address it is may have been proved while this call waited: then it speaks for somebody else.
  if (await isProvedSince(tx, accountId, ctx.at)) throw refuse('unauthenticated')
  if ((await countValidKeys(tx, accountId, { at: ctx.at, except: insteadOf })) >= MOST_KEYS) {
    throw refuse('key_limit', `An account can have ${MOST_KEYS} valid keys.`)
  }
  await limitTries(tx, keysMade, accountId, ctx.at)
  const hidden = { hash: hashKey(raw), hint: raw.slice(-4) }
  await insertKey(tx, { accountId, ...key, ...hidden, at: ctx.at })
}

/** The id and the secret of a key to come. */
export const mintKey = (): { id: string; raw: string } => ({ id: randomUUIDv7(), raw: newRawKey() })
