import { actWhenDue } from '../activities/act-when-due.ts'
import { decideBooking } from '../activities/decide-booking.ts'
import { selectLostBookings } from '../src/store/booking-starts.ts'
import { terms } from '../test/support/terms.ts'
import { longAfterAnswerBy } from './venue-words.ts'
import type { World } from './world.ts'

const PAGE = 200

/**
 * What the sweep and the workflows do once the callers are gone: every request without an answer and every booking whose next
 * action is due, by a clock that is a day ahead, is taken up. Answers how many there were.
 */
export async function settle({ db }: World): Promise<number> {
  const at = longAfterAnswerBy()
  let settled = 0
  for (let after: string | null = null; ; ) {
    const due = await selectLostBookings(db, at, { after, limit: PAGE })
    for (const start of due) {
      const { state } = await decideBooking(db, start, terms, new Date())
      if (state) await actWhenDue(db, start, terms, at)
    }
    settled += due.length
    after = due.at(-1)?.bookingId ?? null
    if (due.length < PAGE) return settled
  }
}
