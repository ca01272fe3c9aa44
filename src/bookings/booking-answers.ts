import { EventEmitter, once } from 'node:events'
import type { Client } from '@temporalio/client'
import type { ConfirmAnswer } from './rules/booking-messages.ts'

/** The worker of bookings in the process of the doors. */
export type LocalWorker = {
  answers: BookingAnswers
  /** shares the worker's connection, so that the worker gets the first task of what it starts */
  client: Client
}

/**
 * What a worker has decided, for callers that wait in the same process. The answer is committed and
 * its workflow durable, so they need not wait until Temporal has recorded it too.
 */
export function createBookingAnswers() {
  const decided = new EventEmitter().setMaxListeners(0)
  return {
    announce(bookingId: string, answer: ConfirmAnswer | null) {
      if (answer) decided.emit(bookingId, answer)
    },
    /** The answer of `ask`, or one that is announced before it; then its signal aborts. */
    async first<A>(
      bookingId: string,
      ask: (isAnswered: AbortSignal) => Promise<A>,
    ): Promise<A | ConfirmAnswer> {
      const isAnswered = new AbortController()
      const { signal } = isAnswered
      const announced = once(decided, bookingId, { signal }).then(([answer]) => answer)
      announced.catch(() => {})
      const asked = ask(signal)
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
