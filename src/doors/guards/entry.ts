import type { FastifyRequest } from 'fastify'
import { enterWithKey } from '../../accounts/store/authentication.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Allowance } from './allowance.ts'
import {
  type Identify,
  type KeyHolder,
  keyHashOf,
  noteHolder,
  type RecentHolders,
  refuseSuspended,
  requireAllowedAddress,
} from './authentication.ts'
import { dayOf, limitOf, type PerDay, shareOut, type TakeQuota } from './quota.ts'

export type Entered = { holder: KeyHolder; allowance: Allowance }

type Attempt = { hash: Buffer; key: string; at: Date }

/**
 * Identifies a key's holder and takes a request of their day. A key that was valid lately is looked
 * up and charged at once, and its calls share a statement; other keys share one lookup, after which
 * `beforeQuota` may throw.
 */
export function createEnter(
  db: Db,
  perDay: PerDay,
  {
    identify,
    takeQuota,
    recent,
  }: { identify: Identify; takeQuota: TakeQuota; recent: RecentHolders },
) {
  const enter = coalesceBy<Attempt, Entered | undefined>(
    ({ key, at }) => `${key} ${dayOf(at)}`,
    async (attempts) => {
      const latest = attempts.at(-1)
      if (!latest) return []
      const { hash, at } = latest
      const wanted = attempts.length
      const row = await enterWithKey(db, { hash, at: new Date(), day: dayOf(at), wanted, perDay })
      if (!row) return attempts.map(() => undefined)
      refuseSuspended(row)
      const { hash: _, used, ...holder } = row
      // null: too little is left for all of them, or nothing was taken on this day yet.
      const allowances =
        used === null
          ? await Promise.all(attempts.map(({ at }) => takeQuota(holder, at)))
          : shareOut({ granted: wanted, used }, limitOf(holder, perDay), attempts)
      return allowances.map((allowance) => ({ holder, allowance }))
    },
  )

  return async (
    request: FastifyRequest,
    at: Date,
    beforeQuota: (holder: KeyHolder) => void = () => {},
  ): Promise<Entered | null> => {
    const hash = request.keyHolder === undefined ? keyHashOf(request) : null
    const key = hash?.toString('base64')
    if (hash && key && recent.has(key)) {
      const entered = await enter({ hash, key, at })
      noteHolder(recent, hash, entered?.holder)
      if (!entered) throw refuse('unauthenticated')
      requireAllowedAddress(request, entered.holder)
      request.keyHolder = entered.holder
      return entered
    }
    const holder = await identify(request)
    if (holder) beforeQuota(holder)
    return holder && { holder, allowance: await takeQuota(holder, at) }
  }
}
