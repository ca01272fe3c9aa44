import { plainWish } from '../../availability/rules/service-terms.ts'
import { evaluateServices, looksFree } from '../../availability/steps/evaluate-services.ts'
import type { RefusalData } from '../../base/errors.ts'
import { perDatabase } from '../../platform/database/cache.ts'
import { coalesceBy } from '../../platform/database/coalesce.ts'
import type { Db, Pool } from '../../platform/database/sql.ts'
import type { BookingStart, ConfirmAnswer } from '../rules/booking-messages.ts'
import { explainUnavailable, withAlternatives } from './explain-unavailable.ts'
import { refuseRequest } from './refuse-request.ts'

/**
 * Refuses a request whose slot is taken, as its workflow would; undefined if the slot looks free or
 * the request has been decided. A slot that looks free may be gone by the time it is taken.
 */
export async function refuseTaken(
  db: Pool,
  start: BookingStart,
  at: Date,
): Promise<ConfirmAnswer | undefined> {
  const refusal = await looks(db)({ start, at })
  if (!refusal) return undefined
  const { answer } = await refuseRequest(db, start, refusal, at)
  return answer && 'refusal' in answer ? answer : undefined
}

type Look = { start: BookingStart; at: Date }

/** Requests for the same slot and party share a check. */
const looks = perDatabase((db) =>
  coalesceBy<Look, RefusalData | undefined>(
    ({ start: { venueId, slotTime, partySize, aheadMs, ...wish } }) =>
      JSON.stringify([venueId, slotTime, partySize, aheadMs, plainWish(wish)]),
    async (together) => {
      const latest = together.at(-1)
      const refusal = latest && (await refusalUnlessFree(db, latest))
      return together.map(() => refusal)
    },
  ),
)

async function refusalUnlessFree(db: Db, { start, at }: Look): Promise<RefusalData | undefined> {
  const evaluation = await evaluateServices(db, start, at)
  if (await looksFree(db, evaluation, start)) return undefined
  const refusal = await explainUnavailable(db, start, evaluation, at)
  return withAlternatives(db, start, refusal, { at })
}
