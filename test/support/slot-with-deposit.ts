import type { DepositRule } from '../../src/availability/rules/deposit.ts'
import { selectNextSlots } from '../../src/availability/store/next-slots.ts'
import { DAY_MS } from '../../src/base/durations.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { addVenue } from './test-venues.ts'

/**
 * A slot for two, four days ahead, at its own venue with this rule and free cancellation until two
 * hours before; and the request that books it.
 */
export async function slotWithDeposit(db: Pool, rule: DepositRule) {
  const venue = await addVenue(db, [{ rules: { cancel_cutoff_minutes: 120, deposits: [rule] } }])
  await db.query('update venue set is_demo = false where id = $1', [venue.id])
  const at = new Date()
  const asked = { at, from: new Date(at.getTime() + 4 * DAY_MS), partySize: 2, count: 1 }
  const found = await selectNextSlots(db, [venue], { ...asked, feePct: 2.5 })
  const slot = found.get(venue.id)?.slots[0]
  if (!slot) throw new Error('there is no slot')
  const request = { venue_id: venue.id, slot_time: slot.slot_time, party_size: 2 }
  return { request, slot, slug: venue.slug }
}
