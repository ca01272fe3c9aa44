import { plainWish } from '../../availability/rules/service-terms.ts'
import { evaluateServices } from '../../availability/steps/evaluate-services.ts'
import { invalidRequest, Refusal, refuse } from '../../base/errors.ts'
import { type Limits, newcomerLimits } from '../../bookings/rules/limits.ts'
import { explainUnavailable, withAlternatives } from '../../bookings/steps/explain-unavailable.ts'
import { limitRefusal } from '../../bookings/steps/limits.ts'
import { lockLimits } from '../../bookings/store/limits.ts'
import { type Claiming, earlierUse } from '../../contract/idempotency.ts'
import type { Context } from '../../contract/operation.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { updateUseSubject } from '../../platform/database/used-keys.ts'
import { MAX_WATCHES } from '../rules/entry.ts'
import * as stored from '../store/entries.ts'
import { lockQueue } from '../store/queue.ts'
import { readVenueSlots } from '../store/venue-slots.ts'

type NewEntry = stored.NewEntry

/**
 * Adds a watch to its venue's queue, or finds the watch that it repeats. Checks the slot in the
 * same transaction, under the queue's lock, so no place can be released unnoticed. A watch counts
 * like a booking from the start, so that its hold never exceeds a limit. Throws `slot_available`,
 * `watch_limit`, `booking_limit`, `slot_given_back_too_often`, `idempotency_mismatch` and refusals
 * by the venue's rules; the idempotency key then stays unused.
 */
export const recordWatch = (
  ctx: Claiming & Pick<Context, 'db'>,
  watch: NewEntry,
  request: Record<string, unknown>,
  key: string | undefined,
  limits: Limits = newcomerLimits,
): Promise<{ id: string; repeats: 'nothing' | 'key' | 'equal watch' }> =>
  transaction(ctx.db, async (tx) => {
    const { accountId, entryId } = watch.start
    const use = { operation: 'watch', subjectId: entryId, asked: request }
    const earlier = await earlierUse(tx, ctx, key, use)
    if (earlier) return { id: earlier, repeats: 'key' }
    await lockLimits(tx, accountId)
    await lockQueue(tx, watch.venueId, 'alone')
    const equal = await stored.selectOptionalEqualEntry(tx, watch)
    if (equal) {
      if (key) await updateUseSubject(tx, accountId, key, equal)
      await stored.fillEntryGuest(tx, equal, watch)
      return { id: equal, repeats: 'equal watch' }
    }
    if (request.until !== undefined) requireFuture(watch)
    await refuseUnlessFull(tx, watch)
    // The length of a slot depends on the service, so an offer is checked again.
    const startsAt = new Date(watch.start.startsAt)
    const slot = { startsAt, endsAt: new Date(startsAt.getTime() + 1) }
    const limited = { ...watch.start, venueId: watch.venueId }
    const why = await limitRefusal(tx, limited, slot, { limits, at: watch.at })
    if (why) throw new Refusal(why)
    while (!(await stored.insertEntry(tx, watch))) await refuseAtMost(tx, accountId)
    return { id: entryId, repeats: 'nothing' }
  })

function requireFuture({ until, at }: NewEntry): void {
  if (until > at) return
  throw invalidRequest([{ pointer: '/until', detail: 'expected an instant in the future' }])
}

async function refuseAtMost(tx: Db, accountId: string): Promise<void> {
  if (!(await stored.hasMostEntries(tx, accountId))) return
  throw refuse('watch_limit', `An account can have ${MAX_WATCHES} watches at a time.`)
}

async function refuseUnlessFull(tx: Db, watch: NewEntry): Promise<void> {
  const { venueId, earliest, latest, at, start } = watch
  const window = { wanted: new Date(start.startsAt), earliest, latest, start }
  const slots = await readVenueSlots(tx, venueId, { from: earliest, until: latest, at })
  // Several services may have the same time free.
  const slot_times = [...new Set(slots.free(window).map(({ slot }) => slot.slotTime))]
  if (slot_times.length > 0) {
    const what = `${start.venueName} has room at ${slot_times[0]}.`
    throw refuse('slot_available', what, { venue_id: venueId, slot_times, ...plainWish(start) })
  }
  if (slots.allowed(window).length === 0) await refuseByRules(tx, watch)
}

/** Refuses a window in which the rules allow no slot, with the reason for the wanted time. */
async function refuseByRules(tx: Db, { venueId, start, at }: NewEntry): Promise<never> {
  const request = { ...start, venueId }
  const evaluation = await evaluateServices(tx, request, at)
  const why = await explainUnavailable(tx, request, evaluation, at)
  throw new Refusal(await withAlternatives(tx, request, why, { at }))
}
