import type { FastifyRequest } from 'fastify'
import { type KeyHolderRow, selectKeyHolders } from '../../accounts/store/authentication.ts'
import { hashKey } from '../../accounts/store/key-secret.ts'
import type { Account } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { apiKeyPattern } from '../../contract/rules/ids.ts'
import type { Scope } from '../../contract/rules/scopes.ts'
import { coalesce } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'

/** The account behind a request, which of its keys was used and what that may do, and the account's own daily limit if it has one. */
export type KeyHolder = Account & {
  /** null for somebody who has signed in */
  keyId: string | null
  scopes: readonly Scope[]
  requestsPerDay: number | null
  /** version of the agents' registry when the key was looked up; without it owners of names are looked up each time */
  registry?: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** null without a key, undefined before `identify` */
    keyHolder: KeyHolder | null | undefined
  }
}

/**
 * Whose key the request carries, null when it carries none. Malformed, unknown, expired and revoked keys all throw the
 * same `unauthenticated`. Keys are looked up at every request, so that a revoked key ends at once.
 */
export type Identify = (request: FastifyRequest) => Promise<KeyHolder | null>

const LOOKUPS_AT_ONCE = 2

export function createIdentify(db: Db): Identify {
  const find = coalesce<Buffer, KeyHolder | undefined>(async (hashes) => {
    const rows = await selectKeyHolders(db, hashes, new Date())
    const holders = new Map(rows.map((row) => [row.hash.toString('base64'), holderOf(row)]))
    return hashes.map((hash) => holders.get(hash.toString('base64')))
  }, LOOKUPS_AT_ONCE)

  return async (request) => {
    if (request.keyHolder !== undefined) return request.keyHolder
    const hash = keyHashOf(request)
    const holder = hash ? await find(hash) : null
    if (holder === undefined) throw refuse('unauthenticated')
    request.keyHolder = holder
    return holder
  }
}

/** The hash of the key that a request carries, null when it carries none; a malformed one throws `unauthenticated`. */
export function keyHashOf({ headers: { authorization } }: FastifyRequest): Buffer | null {
  if (authorization === undefined) return null
  const key = /^Bearer +(\S+)$/i.exec(authorization)?.[1]
  if (!key || !apiKeyPattern.test(key)) throw refuse('unauthenticated')
  return hashKey(key)
}

/** The holder of a key as the guards know one. */
export const holderOf = (row: KeyHolderRow): KeyHolder => ({
  id: row.id,
  name: row.name,
  tier: row.tier,
  keyId: row.key_id,
  scopes: row.scopes,
  requestsPerDay: row.requests_per_day,
  registry: row.registry,
})
