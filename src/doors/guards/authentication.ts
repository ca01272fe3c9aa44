import type { FastifyRequest } from 'fastify'
import { selectKeyHolders } from '../../accounts/store/authentication.ts'
import { hashKey } from '../../accounts/store/key-secret.ts'
import type { Account } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { apiKeyPattern } from '../../contract/rules/ids.ts'
import type { Scope } from '../../contract/rules/scopes.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'

/** The account behind a request, the key that was used, and the account's own limit, if any. */
export type KeyHolder = Account & {
  /** null for a person who has signed in */
  key_id: string | null
  scopes: readonly Scope[]
  requests_per_day: number | null
  /** version of the agents' registry at the key's lookup; without it senders are looked up anew */
  registry?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null without a key, undefined before `identify` */
    keyHolder: KeyHolder | null | undefined
  }
}

/** The holder of the key that a request carries, null when it carries none. */
export type Identify = (request: FastifyRequest) => Promise<KeyHolder | null>

const CONCURRENT_LOOKUPS = 2

/** Finds the holder of a hashed key; concurrent lookups share a statement. */
export const createFindHolder = (db: Db) =>
  coalesce<Buffer, KeyHolder | undefined>(async (hashes) => {
    const rows = await selectKeyHolders(db, hashes, new Date())
    const holders = new Map(rows.map(({ hash, ...holder }) => [hash.toString('base64'), holder]))
    return hashes.map((hash) => holders.get(hash.toString('base64')))
  }, CONCURRENT_LOOKUPS)

/** Any invalid key throws `unauthenticated`. No cache, so that revoking a key works at once. */
export function createIdentify(db: Db, find = createFindHolder(db)): Identify {
  return async (request) => {
    if (request.keyHolder !== undefined) return request.keyHolder
    const hash = keyHashOf(request)
    const holder = hash ? await find(hash) : null
    if (holder === undefined) throw refuse('unauthenticated')
    request.keyHolder = holder
    return holder
  }
}

/** The hash of a request's key, null without one; a malformed key throws `unauthenticated`. */
export function keyHashOf({ headers: { authorization } }: FastifyRequest): Buffer | null {
  if (authorization === undefined) return null
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!key || !apiKeyPattern.test(key)) throw refuse('unauthenticated')
  return hashKey(key)
}
