import { EventEmitter, once } from 'node:events'
import type { ConfirmAnswer } from './rules/booking-messages.ts'

/**
 * What a worker has decided, for callers that wait in the same process. The answer is committed and
 * its workflow durable, so they need not wait until Temporal has recorded it too.
 */
export function createBookingAnswers() {
  const decided = new EventEmitter().setMaxListeners(0)
  return {
    announce: (bookingId: string, answer: ConfirmAnswer) => void decided.emit(bookingId, answer),
    /** The answer of `ask`, or the one that is announced before it comes. */
    async first<A>(bookingId: string, ask: () => Promise<A>): Promise<A | ConfirmAnswer> {
      const isAnswered = new AbortController()
      const { signal } = isAnswered
      const announced = once(decided, bookingId, { signal }).then(([answer]) => answer)
      announced.catch(() => {})
      const asked = ask()
      asked.catch(() => {})
      try {
        return await Promise.race([announced as Promise<ConfirmAnswer>, asked])
      } finally {
        isAnswered.abort()
      }
    },
  }
}

export type BookingAnswers = ReturnType<typeof createBookingAnswers>
