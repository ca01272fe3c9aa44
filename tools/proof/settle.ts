import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { selectBookingStart, selectLostBookings } from '../../src/bookings/store/booking-starts.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { settleGroups } from './groups.ts'
import { longAfterAnswerBy } from './venue-responses.ts'
import { runWaitlistScan } from './watches.ts'
import type { World } from './world.ts'

const PAGE = 200
/** More turns than any group needs from start to finish. */
const MAX_TURNS = 30

/** Unfinished bookings and groups that were settled, and slots offered by the waitlist scan. */
export type Settled = { bookings: number; groups: number; offeredSlots: number }

/**
 * Stands in for the sweep, the waitlist scan and workflows after the callers stop: settles
 * unanswered requests, due bookings and open groups, as of a day ahead.
 */
export async function settle(world: World): Promise<Settled> {
  const settled: Settled = { bookings: 0, groups: 0, offeredSlots: 0 }
  for (let turns = 0; turns < MAX_TURNS; turns += 1) {
    const at = longAfterAnswerBy()
    const bookings = await settleBookings(world, at)
    const groups = await settleGroups(world, at)
    settled.bookings += bookings
    settled.groups += groups
    // A group in progress may request another booking.
    if (groups === 0) break
  }
  settled.offeredSlots = await runWaitlistScan(world, longAfterAnswerBy())
  return settled
}

async function settleBookings({ db }: World, at: Date): Promise<number> {
  let settled = 0
  for (let after: string | null = null; ; ) {
    const due = await selectLostBookings(db, at, { after, limit: PAGE })
    for (const id of due) {
      const start = await selectBookingStart(db, id)
      const { state } = await decideBooking(db, start, stepDeps, new Date())
      if (state) await actWhenDue(db, start, stepDeps, at)
    }
    settled += due.length
    after = due.at(-1) ?? null
    if (due.length < PAGE) return settled
  }
}
