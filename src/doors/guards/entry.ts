import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { enterWithKey } from '../../accounts/store/authentication.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { Allowance } from './allowance.ts'
import { holderOf, type Identify, type KeyHolder, keyHashOf } from './authentication.ts'
import { dayOf, limitOf, type PerDay, shareOut, type TakeQuota } from './quota.ts'

export type Entered = { holder: KeyHolder; allowance: Allowance }

/**
 * Whose key a request carries and, of the day of that account, one request taken; null without a key, and a key that is not valid throws
 * `unauthenticated`. The requests with one key that wait in the same moment share one statement.
 */
export type Enter = (request: FastifyRequest, at: Date) => Promise<Entered | null>

type Asked = { hash: Buffer; key: string; at: Date }

/** A key that was valid within ten minutes is looked up and charged at once; of others, made up maybe, all share one lookup. */
const TRUSTED_MS = 600_000
const MOST_TRUSTED = 10_000

export function createEnter(
  db: Db,
  perDay: PerDay,
  { identify, takeQuota }: { identify: Identify; takeQuota: TakeQuota },
): Enter {
  const wasValid = new LRUCache<string, true>({ max: MOST_TRUSTED, ttl: TRUSTED_MS })

  const enterTogether = async (asked: readonly Asked[]): Promise<(Entered | undefined)[]> => {
    const [latest] = asked.slice(-1)
    if (!latest) return []
    const { hash, at } = latest
    const entry = { hash, at: new Date(), day: dayOf(at), wanted: asked.length, perDay }
    const row = await enterWithKey(db, entry)
    if (!row) return asked.map(() => undefined)
    const holder = holderOf(row)
    const { used } = row
    // Too little is left for all of them, or nothing was taken on this day yet.
    const oneByOne = () => Promise.all(asked.map(({ at }) => takeQuota(holder, at)))
    const allowances =
      used === null
        ? await oneByOne()
        : shareOut({ granted: asked.length, used }, limitOf(holder, perDay), asked)
    return allowances.map((allowance) => ({ holder, allowance }))
  }
  const enter = coalesceBy<Asked, Entered | undefined>(
    ({ key, at }) => `${key} ${dayOf(at)}`,
    enterTogether,
  )

  return async (request, at) => {
    const hash = request.keyHolder === undefined ? keyHashOf(request) : null
    const key = hash?.toString('base64')
    if (hash && key && wasValid.has(key)) {
      const entered = await enter({ hash, key, at })
      if (!entered) throw refuse('unauthenticated')
      request.keyHolder = entered.holder
      return entered
    }
    const holder = await identify(request)
    if (key) wasValid.set(key, true)
    return holder && { holder, allowance: await takeQuota(holder, at) }
  }
}
