import { randomUUIDv7 } from 'node:crypto'
import { invalidRequest, refuse } from '../../base/errors.ts'
import type { Scope } from '../../base/scopes.ts'
import type { ThrottleLimit } from '../../base/throttle.ts'
import { limitedAs } from '../../base/throttle.ts'
import { requireMember } from '../../contract/members.ts'
import { type AccountMode, accountOf, type Context } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { throttle } from '../../platform/database/throttle.ts'
import { findOrCreateSandbox } from '../../sandbox/store/sandboxes.ts'
import { areInside } from '../rules/allowed-ips.ts'
import { insertKey } from '../store/accounts.ts'
import { isVerifiedSince } from '../store/developers.ts'
import { hashKey, newRawKey } from '../store/key-secret.ts'
import type { OwnKey } from '../store/keys.ts'
import * as stored from '../store/keys.ts'

/** Maximum valid keys per account. */
export const MAX_KEYS = 100
/** Ended keys remain listed, so the number created per day is limited too. */
export const keysMade: ThrottleLimit = { name: 'keys by account', most: 200, windowSeconds: 86_400 }

/** A key of the caller's account; throws `key_not_found`. */
export async function ownKey(db: Db, ctx: Context, id: string) {
  const key = await stored.selectOptionalKeyOf(db, accountOf(ctx).id, id)
  if (!key) throw refuse('key_not_found')
  return key
}

/** A key of the caller's account, in its public form; throws `key_not_found`. */
export const shownOwnKey = async (ctx: Context, id: string) =>
  stored.shownKey(await ownKey(ctx.db, ctx, id), ctx.at)

/**
 * Throws `scope_required` if the caller's key lacks one of the scopes, and `role_required` if the
 * member's role does not allow what they do: with `keys`, a key also changes the plan and the card.
 */
export async function refuseMore(db: Db, ctx: Context, scopes: readonly Scope[]): Promise<void> {
  if (scopes.includes('keys')) await requireMember(db, ctx, { what: 'change', part: 'plan' })
  const missing = scopes.filter((scope) => !ctx.scopes.includes(scope))
  const [required_scope] = missing
  if (!required_scope) return
  const what = `This key cannot give scopes that it lacks: ${missing.join(', ')}.`
  const create_at = `${ctx.settings.publicUrl}/dashboard/keys`
  throw refuse('scope_required', what, { required_scope, missing_scopes: missing, create_at })
}

/** The caller's own key, locked until the transaction ends; null for a signed-in member. */
export async function makerOf(tx: Db, { actor, at }: Context): Promise<OwnKey | null> {
  if (actor?.kind !== 'key' || actor.id === null) return null
  const maker = await stored.lockOptionalKey(tx, actor.id)
  const status = maker && stored.keyStatusAt(maker, at)
  if (!maker || status === 'revoked' || status === 'expired') throw refuse('unauthenticated')
  return maker
}

/** Throws `invalid_request` for addresses that the caller's own key does not allow. */
export function refuseWider(maker: OwnKey | null, networks: readonly string[], pointer: string) {
  const limits = maker?.allowed_ips ?? []
  if (limits.length === 0 || (networks.length > 0 && areInside(networks, limits))) return
  const detail = `expected addresses from which your own key may be used: ${limits.join(', ')}`
  throw invalidRequest([{ pointer, detail }])
}

type Terms = { allowedIps: readonly string[]; expiresAt: Date | null }

/**
 * A new key's addresses and expiry, by default the same as the caller's key. Throws
 * `invalid_request` if they exceed those of the caller's key.
 */
export function termsWithin(maker: OwnKey | null, { allowedIps, expiresAt }: Terms): Terms {
  const end = maker?.expires_at ? new Date(maker.expires_at) : null
  if (end && expiresAt && expiresAt > end) {
    const detail = `expected an instant until ${end.toISOString()}, when your own key ends`
    throw invalidRequest([{ pointer: '/expires_at', detail }])
  }
  const networks = allowedIps.length === 0 ? (maker?.allowed_ips ?? []) : allowedIps
  refuseWider(maker, networks, '/allowed_ips')
  return { allowedIps: networks, expiresAt: expiresAt ?? end }
}

/** Throws `invalid_request` if the expiry is in the past. */
export function refusePast({ at }: Context, expiresAt: Date | null): void {
  if (expiresAt && expiresAt <= at) {
    throw invalidRequest([{ pointer: '/expires_at', detail: 'expected an instant in the future' }])
  }
}

/**
 * A key of the caller's account or one of its sandboxes. Only a hash of `raw` is stored.
 * `insteadOf` ends in the same transaction and does not count.
 */
export type NewOwnKey = {
  id: string
  accountId: string
  raw: string
  name: string
  scopes: readonly Scope[]
  allowedIps: readonly string[]
  expiresAt: Date | null
  madeBy: string | null
  insteadOf: string | null
}

/**
 * Adds a key, and locks the keys of the caller's account until the transaction ends. Throws
 * `key_limit`; `too_many_tries` if the account has created too many within a day; and
 * `unauthenticated` if its email address has been verified since the call began.
 */
export async function addOwnKey(tx: Db, ctx: Context, { raw, insteadOf, ...key }: NewOwnKey) {
  const { at } = ctx
  const { accountId } = key
  const callerId = accountOf(ctx).id
  await stored.lockKeysOf(tx, callerId)
  // If the address has just been verified by its owner, this caller may be somebody else.
  if (await isVerifiedSince(tx, callerId, at)) throw refuse('unauthenticated')
  if ((await stored.countValidKeys(tx, accountId, { at, except: insteadOf })) >= MAX_KEYS) {
    throw refuse('key_limit', `An account can have ${MAX_KEYS} valid keys.`)
  }
  await throttle(tx, keysMade, limitedAs(accountOf(ctx)), at)
  await insertKey(tx, { ...key, hash: hashKey(raw), hint: raw.slice(-4), at })
}

/** A new key's id and secret. */
export const mintKey = (mode: AccountMode) => ({ id: randomUUIDv7(), raw: newRawKey(mode) })

/** A new key's mode; a test key can make only test keys. Throws `live_key_required`. */
export function modeOfNewKey(ctx: Context, choice: AccountMode | undefined): AccountMode {
  const { mode } = accountOf(ctx)
  if (mode === 'test' && choice === 'live') {
    throw refuse('live_key_required', 'A test key can create test keys only.')
  }
  return choice ?? mode
}

/** The account for a new key in this mode: the caller's, or its sandbox. */
export async function ownerOfNewKey(tx: Db, ctx: Context, mode: AccountMode): Promise<string> {
  const account = accountOf(ctx)
  return mode === account.mode ? account.id : findOrCreateSandbox(tx, account.id, ctx.at)
}
