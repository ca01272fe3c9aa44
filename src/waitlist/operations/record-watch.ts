import { judgeSlot } from '../../availability/rules/slots.ts'
import { selectOfferingsAt } from '../../availability/store/offerings.ts'
import { hash } from '../../bookings/operations/open-request.ts'
import type { Context } from '../../contract/operation.ts'
import { invalidRequest, Refusal, refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import {
  insertUse,
  selectOptionalUse,
  updateUseSubject,
} from '../../platform/database/used-keys.ts'
import { MOST_WATCHES } from '../rules/entry.ts'
import {
  hasMostEntries,
  insertEntry,
  type NewEntry,
  selectOptionalEqualEntry,
} from '../store/entries.ts'
import { lockQueue } from '../store/queue.ts'
import { readVenueSlots } from '../store/venue-slots.ts'

/** The watch to go on with: new, or an earlier one that this call repeats. */
export type RecordedWatch = { id: string; repeats: 'nothing' | 'key' | 'equal watch' }

/**
 * Puts a watch into the queue of its venue, or finds the one that it repeats. Whether the slot is full is looked at in the same
 * transaction, which nobody who gives a place back can pass. Throws what the rules say against the slot, `slot_available`,
 * `watch_limit`, `idempotency_mismatch`; then nothing remains, and the key can be used again.
 */
export const recordWatch = (
  { db }: Pick<Context, 'db'>,
  watch: NewEntry,
  asked: Record<string, unknown>,
  key: string | undefined,
): Promise<RecordedWatch> =>
  transaction(db, async (tx) => {
    const earlier = key && (await findUse(tx, watch, hash(asked), key))
    if (earlier) return { id: earlier, repeats: 'key' }
    await lockQueue(tx, watch.venueId, 'alone')
    const equal = await selectOptionalEqualEntry(tx, watch)
    if (equal) {
      if (key) await updateUseSubject(tx, watch.start.accountId, key, equal)
      return { id: equal, repeats: 'equal watch' }
    }
    if (asked.until !== undefined && watch.until <= watch.at) {
      throw invalidRequest([{ pointer: '/until', detail: 'is over: expected a later instant' }])
    }
    await refuseUnlessFull(tx, watch)
    while (!(await insertEntry(tx, watch))) {
      const { accountId } = watch.start
      if (await hasMostEntries(tx, accountId)) {
        throw refuse('watch_limit', `An account can have ${MOST_WATCHES} watches at a time.`)
      }
    }
    return { id: watch.start.watchId, repeats: 'nothing' }
  })

/** The watch for which this key was used; undefined when it is used for this one from now on. */
async function findUse(tx: Db, { start, at }: NewEntry, bodyHash: Buffer, key: string) {
  const { accountId, watchId } = start
  const use = { accountId, key, operation: 'watch', subjectId: watchId, bodyHash, at }
  if (await insertUse(tx, use)) return undefined
  const earlier = await selectOptionalUse(tx, accountId, key)
  if (earlier?.operation !== 'watch' || !earlier.body_hash.equals(bodyHash)) {
    throw refuse('idempotency_mismatch')
  }
  return earlier.subject_id
}

async function refuseUnlessFull(tx: Db, watch: NewEntry): Promise<void> {
  const { venueId, earliest, latest, at, start } = watch
  const wanted = { ...watch, partySize: start.partySize, wanted: new Date(start.startsAt) }
  const look = await readVenueSlots(tx, venueId, { from: earliest, until: latest, at })
  const slot_times = look.free(wanted).map(({ slot }) => slot.slotTime)
  if (slot_times.length > 0) {
    const what = `${start.venueName} has room at ${slot_times[0]}.`
    throw refuse('slot_available', what, { venue_id: venueId, slot_times })
  }
  if (look.allowed(wanted).length === 0) await refuseByRules(tx, watch)
}

/** No slot of the window can be booked by anybody: says why of the wanted time. */
async function refuseByRules(tx: Db, { venueId, start, at }: NewEntry): Promise<never> {
  const { slotTime, partySize } = start
  const offerings = await selectOfferingsAt(tx, venueId, slotTime)
  const refusals = offerings.flatMap(({ rules, timezone, exceptions }) => {
    const judged = judgeSlot({ rules, timezone, exceptions, slotTime, partySize, at })
    return 'refusal' in judged ? [judged.refusal] : []
  })
  const first = refusals.find(({ code }) => !code.startsWith('party_')) ?? refusals[0]
  throw first ? new Refusal(first) : refuse('slot_unavailable')
}
