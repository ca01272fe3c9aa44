import type { FastifyRequest } from 'fastify'
import { enterWithKey } from '../../accounts/store/authentication.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Allowance } from './allowance.ts'
import {
  acceptHolder,
  type Identify,
  isAllowedFrom,
  type KeyHolder,
  keyHashOf,
  type RecentHolders,
  withinRole,
} from './authentication.ts'
import { dayOf, limitOf, type PerDay, shareOut } from './quota.ts'

/** If there is no allowance, the call was not counted against the holder's daily quota. */
export type Entered = { holder: KeyHolder; allowance: Allowance | undefined }

type Attempt = { hash: Buffer; key: string; networks: readonly string[]; at: Date }

/**
 * Identifies a key's holder. For a recently valid key, one statement, which concurrent calls share,
 * looks it up and charges the request to the holder's daily quota. Other keys share a lookup and
 * are not yet charged, so that their holders can be metered first. Calls from outside the key's
 * networks cost nothing.
 */
export function createEnter(
  db: Db,
  perDay: PerDay,
  { identify, recent }: { identify: Identify; recent: RecentHolders },
) {
  const enter = coalesceBy<Attempt, Entered | undefined>(
    ({ key, networks, at }) => `${key} ${networks} ${dayOf(at)}`,
    async (attempts) => {
      const latest = attempts.at(-1)
      if (!latest) return []
      const { hash, networks, at } = latest
      const count = attempts.length
      const entry = { hash, at: new Date(), day: dayOf(at), count, perDay, networks }
      const row = await enterWithKey(db, entry)
      if (!row) return attempts.map(() => undefined)
      const { hash: _, used, ...entered } = row
      const holder = withinRole(entered)
      const allowances =
        used === null ? [] : shareOut({ granted: count, used }, limitOf(holder, perDay), attempts)
      return attempts.map((_, index) => ({ holder, allowance: allowances[index] }))
    },
  )

  return async (request: FastifyRequest, at: Date): Promise<Entered | null> => {
    const hash = request.keyHolder === undefined ? keyHashOf(request) : null
    const key = hash?.toString('base64')
    const likely = key && recent.get(key)
    if (hash && likely && isAllowedFrom(request, likely)) {
      const entered = await enter({ hash, key, networks: likely.allowed_ips ?? [], at })
      const holder = acceptHolder(recent, request, hash, entered?.holder)
      return { holder, allowance: entered?.allowance }
    }
    const holder = await identify(request)
    return holder && { holder, allowance: undefined }
  }
}
