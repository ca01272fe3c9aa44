import type { FastifyRequest } from 'fastify'
import { refuse } from '../model/errors.ts'
import { enterWithKey } from '../store/authentication.ts'
import { coalesceBy } from '../store/coalesce.ts'
import type { Db } from '../store/sql.ts'
import type { Allowance } from './allowance.ts'
import { holderOf, type KeyHolder, keyHashOf } from './authentication.ts'
import { dayOf, limitOf, type PerDay, shareOut, type TakeQuota } from './quota.ts'

type Entered = { holder: KeyHolder; allowance: Allowance }

/**
 * Whose key a request carries and, of the day of that account, one request taken: both in one statement, shared by the requests with this
 * key that wait in the same moment. Null without a key; a key that is not valid throws `unauthenticated`.
 */
export type Enter = (request: FastifyRequest, at: Date) => Promise<Entered | null>

type Asked = { hash: Buffer; at: Date }

export function createEnter(db: Db, perDay: PerDay, takeQuota: TakeQuota): Enter {
  const enterTogether = async (asked: readonly Asked[]): Promise<(Entered | undefined)[]> => {
    const [latest] = asked.slice(-1)
    if (!latest) return []
    const { hash, at } = latest
    const entry = { hash, at: new Date(), day: dayOf(at), wanted: asked.length, perDay }
    const row = await enterWithKey(db, entry)
    if (!row) return asked.map(() => undefined)
    const holder = holderOf(row)
    const { used } = row
    const allowances =
      used === null
        ? // Too little is left for all of them, or nothing was taken on this day yet.
          await Promise.all(asked.map(({ at }) => takeQuota(holder, at)))
        : shareOut({ granted: asked.length, used }, limitOf(holder, perDay), asked)
    return allowances.map((allowance) => ({ holder, allowance }))
  }
  const enter = coalesceBy<Asked, Entered | undefined>(
    ({ hash, at }) => `${hash.toString('base64')} ${dayOf(at)}`,
    enterTogether,
  )

  return async (request, at) => {
    const known = request.keyHolder
    if (known !== undefined)
      return known && { holder: known, allowance: await takeQuota(known, at) }
    const hash = keyHashOf(request)
    if (!hash) {
      request.keyHolder = null
      return null
    }
    const entered = await enter({ hash, at })
    if (!entered) throw refuse('unauthenticated')
    request.keyHolder = entered.holder
    return entered
  }
}
