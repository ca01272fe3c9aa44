import type { Book, Entry, Plan } from './book.ts'
import type { Posts } from './posts.ts'
import { asEarlier, redecided } from './receive.ts'
import type { Behaviour, Later } from './script.ts'
import { newMessageId } from './signatures.ts'
import { bookingState } from './venue-messages.ts'

const MAX_TIMER_MS = 2_147_483_647

export type Plans = {
  /** Scripted later messages, to be journaled before `schedule`. */
  prepare(bookingId: string, behaviour: Behaviour, answerBy: string | null | undefined): Plan[]
  schedule(plan: Plan): void
}

/** Messages that the venue sends later, whatever the booking's state is by then. */
export function createPlans(book: Book, posts: Posts, ending: AbortSignal): Plans {
  return {
    prepare: (bookingId, behaviour, answerBy) =>
      (behaviour.later ?? []).map((later) => ({
        id: newMessageId(),
        booking_id: bookingId,
        due: dueAt(later, answerBy),
        later,
      })),
    schedule,
  }

  function schedule(plan: Plan): void {
    const wait = Date.parse(plan.due) - Date.now()
    const again = () =>
      Date.parse(plan.due) > Date.now() ? schedule(plan) : void sendPlanned(plan)
    setTimeout(again, Math.min(Math.max(wait, 0), MAX_TIMER_MS)).unref()
  }

  async function sendPlanned({ id, booking_id, later }: Plan): Promise<void> {
    if (ending.aborted) return
    const booking = book.bookings.get(booking_id)
    if (!booking?.stay) return book.write({ kind: 'plan-done', id })
    const { status, reason = null, after_ms, after_answer_by_ms, ...faults } = later
    const isOlder = faults.backdate_ms !== undefined
    const updated = (isOlder ? asEarlier : redecided)(booking, status, reason)
    const post = posts.prepare(booking.stay.answer_url, bookingState(updated), faults)
    const entries: Entry[] = isOlder ? [] : [{ kind: 'booking', booking: updated }]
    await book.write(...entries, { kind: 'plan-done', id }, { kind: 'post', post })
    await posts.send(post)
  }
}

function dueAt(
  { after_ms = 0, after_answer_by_ms }: Later,
  answerBy: string | null | undefined,
): string {
  const basis = after_answer_by_ms === undefined || !answerBy ? Date.now() : Date.parse(answerBy)
  return new Date(basis + (after_answer_by_ms ?? after_ms)).toISOString()
}
