import { notBefore } from '../../base/account-time.ts'
import { DAY_MS } from '../../base/durations.ts'
import { type Limits, newcomerLimits } from '../../bookings/rules/limits.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { FreedSpan } from '../../bookings/store/freed-spans.ts'
import type { DoneStep } from '../../bookings/store/transitions.ts'
import type { Db } from '../../platform/database/sql.ts'
import { insertOpenedSlot, selectOpenedSpans } from '../store/opened-slots.ts'
import { lockQueue, markScanDue, selectQueue } from '../store/queue.ts'
import { readVenueSlots } from '../store/venue-slots.ts'
import { offerFirstOf } from './offer-slot-to.ts'

/** Maximum entries that one release checks, and holds that it offers. */
const MAX_ENTRIES = 50
const MAX_OFFERS = 10

type Owner = Pick<LockedBooking, 'id' | 'party_size'>

/**
 * Offers a booking's released inventory to the first matching waitlist entries, in the releasing
 * transaction, so nobody else can take it first. Skips the entry that had this hold. However long
 * the queue, the transaction stays short; the next scan does the rest. Returns the new holds.
 */
export async function offerFreedSlots(
  tx: Db,
  owner: Owner,
  freed: readonly FreedSpan[],
  at: Date,
  limits: Limits = newcomerLimits,
): Promise<DoneStep[]> {
  const offered: DoneStep[] = []
  for (const span of freed) offered.push(...(await offerSpan(tx, span, owner.id, { limits, at })))
  if (freed.length > 0) await recordOpenedSlot(tx, owner, freed, notBefore({}, at.getTime()))
  return offered
}

async function offerSpan(
  tx: Db,
  freed: FreedSpan,
  freedBy: string,
  { limits, at }: { limits: Limits; at: Date },
): Promise<DoneStep[]> {
  const { venueId, until } = freed
  // A slot that begins up to a day earlier can extend into the freed span.
  const period = { from: new Date(freed.from.getTime() - DAY_MS), until, at }
  await lockQueue(tx, venueId, 'shared')
  const queue = await selectQueue(tx, venueId, {
    ...period,
    skipHolder: freedBy,
    limit: MAX_ENTRIES,
  })
  if (queue.length === MAX_ENTRIES) await markScanDue(tx, venueId)
  if (queue.length === 0) return []
  let slots = await readVenueSlots(tx, venueId, period)
  const offered: DoneStep[] = []
  for (const entry of queue) {
    const choices = slots.free(entry, freed)
    // A step retried after an outage keeps its original time; a hold still lasts its full time.
    const now = notBefore(entry.start, at.getTime())
    const step = await offerFirstOf(tx, entry, choices, { freedBy, limits, at: now })
    if (!step) continue
    offered.push(step)
    if (offered.length === MAX_OFFERS) {
      await markScanDue(tx, venueId)
      break
    }
    slots = await readVenueSlots(tx, venueId, period)
  }
  return offered
}

/**
 * Records for the feed that a full slot is bookable again: the slot was full because of the
 * booking, it was offered to no entry, and the venue's rules still allow this party.
 */
async function recordOpenedSlot(tx: Db, owner: Owner, freed: readonly FreedSpan[], at: Date) {
  const { id: bookingId, party_size: partySize } = owner
  for (const span of await selectOpenedSpans(tx, { bookingId, partySize, freed, at })) {
    const { venueId, from, until } = span
    const slots = await readVenueSlots(tx, venueId, { from, until, at })
    const window = { start: { partySize }, wanted: from, earliest: from, latest: from }
    if (slots.free(window, span).length === 0) continue
    return insertOpenedSlot(tx, venueId, at)
  }
}
