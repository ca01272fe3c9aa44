import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { isInside } from '../../accounts/rules/allowed-ips.ts'
import { selectKeyHolders } from '../../accounts/store/authentication.ts'
import { hashKey } from '../../accounts/store/key-secret.ts'
import { refuse } from '../../base/errors.ts'
import { accessTokenPattern, apiKeyPattern } from '../../base/ids.ts'
import { type Role, scopesOfRole } from '../../base/roles.ts'
import type { Scope } from '../../base/scopes.ts'
import type { Account } from '../../contract/operation.ts'
import type { TokenAudience } from '../../oauth/rules/resources.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'

/** The account behind a request, the key, and the account's own daily limit, if any. */
export type KeyHolder = Account & {
  live_account_id: string | null
  /** null for a signed-in person, and for an access token */
  key_id: string | null
  /** of an access token: what the member `developer_id` allows the program `client` */
  grant_id?: string | null
  developer_id?: string | null
  client?: string | null
  role?: Role | null
  /** the door for which an access token is meant */
  audience?: TokenAudience | null
  scopes: readonly Scope[]
  requests_per_day: number | null
  /** networks from which the key may be used; if empty, any */
  allowed_ips?: readonly string[]
  /** agent registry version when the key was looked up; if absent, senders are looked up anew */
  registry?: number
  /** why an operator suspended the account; its keys are then refused */
  suspended_reason?: string | null
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null without a key; undefined until `identify` has run */
    keyHolder: KeyHolder | null | undefined
  }
}

/** Returns the holder of a request's key; null without a key. */
export type Identify = (request: FastifyRequest) => Promise<KeyHolder | null>

/** Holders of recently valid keys, by key hash. This cache never grants access. */
export type RecentHolders = LRUCache<string, KeyHolder>

const UNKNOWN_KEY = 'This API key or access token is unknown, revoked or expired.'
const NO_KEY = 'The header `Authorization` holds neither an API key nor an access token from here.'
const OTHER_DOOR = 'This access token is meant for another address of this network.'

const RECENT_MS = 600_000
const MAX_RECENT_KEYS = 10_000

export const createRecentHolders = (): RecentHolders =>
  new LRUCache({ max: MAX_RECENT_KEYS, ttl: RECENT_MS })

const CONCURRENT_LOOKUPS = 2

/** Finds the holder of a hashed key; concurrent lookups share one statement. */
export const createFindHolder = (db: Db) =>
  coalesce<Buffer, KeyHolder | undefined>(async (hashes) => {
    const rows = await selectKeyHolders(db, hashes, new Date())
    const holders = new Map(
      rows.map(({ hash, ...holder }) => [hash.toString('base64'), withinRole(holder)]),
    )
    return hashes.map((hash) => holders.get(hash.toString('base64')))
  }, CONCURRENT_LOOKUPS)

/** A token allows no more than its member may do now. */
export const withinRole = <H extends KeyHolder>(holder: H): H =>
  holder.role ? { ...holder, scopes: scopesOfRole(holder.role, holder.scopes) } : holder

/** Results are not cached, so revocations and suspensions apply immediately. */
export function createIdentify(
  db: Db,
  recent: RecentHolders,
  find = createFindHolder(db),
): Identify {
  return async (request) => {
    if (request.keyHolder !== undefined) return request.keyHolder
    const hash = keyHashOf(request)
    if (hash) return acceptHolder(recent, request, hash, await find(hash))
    request.keyHolder = null
    return null
  }
}

/** Whether the key may be used from the request's address. */
export const isAllowedFrom = ({ ip }: FastifyRequest, { allowed_ips: networks = [] }: KeyHolder) =>
  networks.length === 0 || isInside(ip, networks)

/** Whether an access token was issued for another door (RFC 8707). */
function isForOtherDoor({ routeOptions }: FastifyRequest, { audience }: KeyHolder): boolean {
  const door = /^\/mcp\b/.test(routeOptions.url ?? '') ? 'mcp' : 'api'
  return audience != null && audience !== door
}

/** Throws `account_suspended` if the key's account is suspended. */
function refuseSuspended({ id, suspended_reason: reason }: KeyHolder): void {
  if (reason != null) throw refuse('account_suspended', undefined, { account_id: id, reason })
}

/**
 * Identifies a request with the holder of its key, and remembers them. Throws `unauthenticated` if
 * nobody holds it or it is meant for another door, `account_suspended`, or `address_not_allowed`.
 */
export function acceptHolder<H extends KeyHolder>(
  recent: RecentHolders,
  request: FastifyRequest,
  hash: Buffer,
  holder: H | undefined,
): H {
  const key = hash.toString('base64')
  if (holder) recent.set(key, holder)
  else recent.delete(key)
  if (!holder) throw refuse('unauthenticated', UNKNOWN_KEY)
  if (isForOtherDoor(request, holder)) throw refuse('unauthenticated', OTHER_DOOR)
  refuseSuspended(holder)
  const { ip } = request
  if (!isAllowedFrom(request, holder)) {
    const what = `This key may not be used from ${ip}.`
    throw refuse('address_not_allowed', what, { address: ip, key_id: holder.key_id })
  }
  request.keyHolder = holder
  return holder
}

/** The hash of a request's key; null if there is none. Throws `unauthenticated` if malformed. */
export function keyHashOf(request: FastifyRequest): Buffer | null {
  if (request.headers.authorization === undefined) return null
  const hash = hashOf(request)
  if (!hash) throw refuse('unauthenticated', NO_KEY)
  return hash
}

/** A call with a key needs its hash three times. */
const hashes = new WeakMap<FastifyRequest, Buffer>()

function hashOf(request: FastifyRequest): Buffer | undefined {
  const earlier = hashes.get(request)
  const key = earlier ? undefined : keyOf(request)
  if (!key) return earlier
  const hash = hashKey(key)
  hashes.set(request, hash)
  return hash
}

function keyOf({ headers: { authorization = '' } }: FastifyRequest): string | undefined {
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  return key && (apiKeyPattern.test(key) || accessTokenPattern.test(key)) ? key : undefined
}

/** Whether a request was sent with a key rather than an access token, valid or not. */
export const holdsKey = ({ headers: { authorization = '' } }: FastifyRequest): boolean =>
  /^Bearer +service_(?:live|test)_/i.test(authorization)

/** Whether a request was sent with an access token, valid or not. */
export const holdsToken = ({ headers: { authorization = '' } }: FastifyRequest): boolean =>
  /^Bearer +service_access_/i.test(authorization)

/** The account of a request's key, if that key was valid recently. */
export function holderOfKey(recent: RecentHolders, request: FastifyRequest): KeyHolder | undefined {
  const hash = request.keyHolder ? undefined : hashOf(request)
  return hash ? recent.get(hash.toString('base64')) : (request.keyHolder ?? undefined)
}

/** The account that a request was identified with or probably belongs to. */
export function recentHolderOf(
  recent: RecentHolders,
  request: FastifyRequest,
): KeyHolder | undefined {
  const holder = holderOfKey(recent, request)
  return holder && isAllowedFrom(request, holder) ? holder : undefined
}
