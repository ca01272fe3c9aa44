import type { Book, Entry, Plan } from './book.ts'
import type { Posts } from './posts.ts'
import { redecided } from './receive.ts'
import type { Behaviour, Later } from './script.ts'
import { newMessageId } from './signatures.ts'
import { bookingState } from './statements.ts'

const LONGEST_TIMER_MS = 2_147_483_647

export type Plans = {
  /** What the behaviour says is to be stated later, to be written into the book before `schedule`. */
  prepare(bookingId: string, behaviour: Behaviour, answerBy: string | undefined): Plan[]
  schedule(plan: Plan): void
}

/** Statements that the venue makes later, whatever has become of the booking by then. */
export function createPlans(book: Book, posts: Posts, ending: AbortSignal): Plans {
  return {
    prepare: (bookingId, behaviour, answerBy) =>
      (behaviour.later ?? []).map((later) => ({
        id: newMessageId(),
        booking_id: bookingId,
        due: dueAt(later, answerBy),
        later,
      })),
    schedule: (plan) => {
      const wait = Math.min(Date.parse(plan.due) - Date.now(), LONGEST_TIMER_MS)
      setTimeout(() => void carryOut(plan), Math.max(wait, 0)).unref()
    },
  }

  async function carryOut({ id, booking_id, later }: Plan): Promise<void> {
    if (ending.aborted) return
    const entries: Entry[] = [{ kind: 'plan-done', id }]
    const known = book.bookings.get(booking_id)
    if (known?.stay) {
      const { status, reason = null, after_ms, after_answer_by_ms, ...faults } = later
      const booking = redecided(book, known, status, reason)
      const isOlder = faults.backdate_ms !== undefined
      const basis = isOlder ? { ...known, status, reason } : booking
      const post = posts.prepare(known.stay.answer_url, bookingState(basis), faults)
      if (!isOlder) entries.push({ kind: 'booking', booking })
      await book.write(...entries, { kind: 'post', post })
      await posts.send(post)
    } else await book.write(...entries)
  }
}

function dueAt({ after_ms = 0, after_answer_by_ms }: Later, answerBy: string | undefined): string {
  const basis = after_answer_by_ms === undefined || !answerBy ? Date.now() : Date.parse(answerBy)
  return new Date(basis + (after_answer_by_ms ?? after_ms)).toISOString()
}
