import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { settleGroups } from './groups.ts'
import { longAfterAnswerBy } from './venue-words.ts'
import { lookForPlaces } from './watches.ts'
import type { World } from './world.ts'

const PAGE = 200
/** More than any group needs from its beginning to its end. */
const MOST_TURNS = 30

/**
 * What was left undecided: bookings and groups that were taken up, and places that only the
 * look-out handed on.
 */
export type Settled = { bookings: number; groups: number; places: number }

/**
 * What the sweep, the look-out and the workflows do once the callers are gone: every request
 * without an answer, every booking whose next action is due and every group in progress, by a clock
 * that is a day ahead, is taken up.
 */
export async function settle(world: World): Promise<Settled> {
  const settled: Settled = { bookings: 0, groups: 0, places: 0 }
  for (let turns = 0; turns < MOST_TURNS; turns += 1) {
    const at = longAfterAnswerBy()
    const bookings = await settleBookings(world, at)
    const groups = await settleGroups(world, at)
    settled.bookings += bookings
    settled.groups += groups
    // A group that goes on may ask for another booking.
    if (groups === 0) break
  }
  settled.places = await lookForPlaces(world, longAfterAnswerBy())
  return settled
}

async function settleBookings({ db }: World, at: Date): Promise<number> {
  let settled = 0
  for (let after: string | null = null; ; ) {
    const due = await selectLostBookings(db, at, { after, limit: PAGE })
    for (const start of due) {
      const { state } = await decideBooking(db, start, stepDeps, new Date())
      if (state) await actWhenDue(db, start, stepDeps, at)
    }
    settled += due.length
    after = due.at(-1)?.bookingId ?? null
    if (due.length < PAGE) return settled
  }
}
