import type { Book, Entry } from './book.ts'
import type { Log } from './log.ts'
import type { BookingRequest, BookingState } from './messages.ts'
import type { Plans } from './plans.ts'
import type { Posts } from './posts.ts'
import { receive } from './receive.ts'
import { type Behaviour, failures } from './script.ts'

/** `afterwards` runs once the answer is on its way. */
export type Answer = { state: BookingState; afterwards: () => void }

export type BookingDeps = { book: Book; posts: Posts; plans: Plans; log: Log }

/**
 * Handles one message about a booking; resolves once it is journaled, unless the script makes it
 * fail first.
 */
export async function answerBooking(
  { book, posts, plans, log }: BookingDeps,
  request: BookingRequest,
  scripted: Behaviour | undefined,
): Promise<Answer> {
  const { fail, repeat, ...behaviour } = scripted ?? {}
  const { type, booking_id, venue_id } = request
  const { booking, state } = receive(book, request, behaviour)
  const line = {
    at: new Date().toISOString(),
    type,
    revision: 'revision' in request ? request.revision : null,
    answered: fail ? `${fail} (${state.status})` : state.status,
    ...(scripted && { script: scripted }),
  }
  log({ ...line, venue_id, booking_id })
  if (fail && !failures[fail].recorded) return { state, afterwards: () => {} }

  const { answer_by: answerBy } = booking?.change?.stay ?? booking?.stay ?? {}
  const newPlans = plans.prepare(booking_id, behaviour, answerBy)
  const url = booking?.stay?.answer_url
  const repeats = repeat && url ? [posts.prepare(url, state, behaviour, repeat)] : []
  const entries: Entry[] = [
    { kind: 'line', booking_id, line },
    ...newPlans.map((plan) => ({ kind: 'plan' as const, plan })),
    ...repeats.map((post) => ({ kind: 'post' as const, post })),
  ]
  if (booking && type !== 'booking.status') entries.unshift({ kind: 'booking', booking })
  await book.write(...entries)
  return {
    state,
    afterwards: () => {
      for (const plan of newPlans) plans.schedule(plan)
      for (const post of repeats) void posts.send(post)
    },
  }
}
