import { EventEmitter, once } from 'node:events'
import type { Client } from '@temporalio/client'
import type { Evaluation } from '../availability/steps/evaluate-offerings.ts'
import type { ConfirmAnswer } from './rules/booking-messages.ts'

/** The worker of bookings in the process of the doors. */
export type LocalWorker = {
  answers: BookingAnswers
  /** shares the worker's connection, so that the worker gets the first task of what it starts */
  client: Client
}

/** How long an evaluation is good for the step that decides. */
const FRESH_MS = 2_000

/**
 * What a worker has decided, for callers that wait in the same process. The answer is committed and
 * its workflow durable, so they need not wait until Temporal has recorded it too.
 */
export function createBookingAnswers() {
  const decided = new EventEmitter().setMaxListeners(0)
  const prepared = new Map<string, { reading: Promise<Evaluation | undefined>; at: number }>()
  return {
    /** Keeps what the step that decides needs first, being read while its workflow starts. */
    prepare(bookingId: string, reading: Promise<Evaluation>) {
      prepared.set(bookingId, { reading: reading.catch(() => undefined), at: performance.now() })
    },
    /** The same, once; undefined when there is none or it is old. */
    async takePrepared(bookingId: string): Promise<Evaluation | undefined> {
      const found = prepared.get(bookingId)
      prepared.delete(bookingId)
      return found && performance.now() - found.at < FRESH_MS ? found.reading : undefined
    },
    announce(bookingId: string, answer: ConfirmAnswer | null) {
      if (answer) decided.emit(bookingId, answer)
    },
    forget(bookingId: string) {
      prepared.delete(bookingId)
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
        prepared.delete(bookingId)
      }
    },
  }
}

export type BookingAnswers = ReturnType<typeof createBookingAnswers>
