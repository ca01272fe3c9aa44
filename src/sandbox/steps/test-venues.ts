import { randomUUID } from 'node:crypto'
import { outcomeOf } from '../../base/sandbox.ts'
import type { SweepDeps } from '../../bookings/steps/sweep.ts'
import type { TestVenues } from '../../confirmation/steps/test-venues.ts'
import type { VenueRequest } from '../../confirmation/store/venue-requests.ts'
import type { Db } from '../../platform/database/sql.ts'
import { answerOf, laterOf, peopleAnswer } from '../rules/answers.ts'
import { outcomeOfVenue } from '../rules/test-venues.ts'
import { countCall, insertReply } from '../store/venue-book.ts'
import { deliverReply } from './deliver-replies.ts'

/** Answers for test venues, with the outcome given by the guest's reference or the venue. */
export const createTestVenues = (deps: Pick<SweepDeps, 'db' | 'engine'>): TestVenues => ({
  async answer(request, message, at) {
    const { booking_id: bookingId } = request
    const isCancel = message === 'booking.cancel'
    const calls = await countCall(deps.db, { bookingId, isCancel, at })
    const isChange = request.change_phase === 'asked'
    const answer = answerOf({ message, outcome: outcomeFor(request), calls, isChange })
    if (answer === 'failure') return { failure: 'status 503' }
    if (answer.status === 'confirmed' && !isCancel) await planLater(deps.db, request, at)
    const statement = {
      type: 'booking.state',
      booking_id: bookingId,
      revision: revisionOf(request, isCancel && answer.status !== 'confirmed'),
      status: answer.status,
      answered_at: at.toISOString(),
    }
    return { messageId: `msg_${randomUUID()}`, receivedAt: at, statement }
  },

  async notify(notice, at) {
    if (notice.kind !== 'request.waiting') return
    const answer = peopleAnswer(outcomeFor(notice), notice.slot_time)
    if (!answer) return
    const { afterMs, ...decision } = answer
    const dueAt = new Date(at.getTime() + afterMs)
    const about = { bookingId: notice.booking_id, accountId: notice.account_id }
    await insertReply(deps.db, { ...about, ...decision, dueAt })
    if (decision.status === 'confirmed') await planLater(deps.db, notice, dueAt)
    await deliverReply(deps, notice.booking_id, at)
  },
})

const outcomeFor = ({ guest_ref, venue_slug }: Pick<VenueRequest, 'guest_ref' | 'venue_slug'>) =>
  outcomeOf(guest_ref) ?? outcomeOfVenue(venue_slug)

/** A withdrawal is acknowledged with its own revision, everything else with the requested one. */
const revisionOf = ({ revision, asked_revision }: VenueRequest, isWithdrawn: boolean): number =>
  isWithdrawn ? revision : (asked_revision ?? revision)

/** Plans the venue's later statements after a yes. */
async function planLater(
  db: Db,
  booking: Pick<
    VenueRequest,
    'booking_id' | 'account_id' | 'guest_ref' | 'venue_slug' | 'starts_at'
  >,
  at: Date,
): Promise<void> {
  const { booking_id: bookingId, account_id: accountId, starts_at: startsAt } = booking
  for (const { status, from, afterMs } of laterOf[outcomeFor(booking)] ?? []) {
    const since = from === 'slot' ? startsAt : at
    const dueAt = new Date(since.getTime() + afterMs)
    await insertReply(db, { bookingId, accountId, status, dueAt })
  }
}
