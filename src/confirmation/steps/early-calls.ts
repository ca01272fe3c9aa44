import type { BookingStart, Call } from '../../bookings/rules/booking-messages.ts'

type Begun = { calling: Promise<Call>; controller: AbortController }

/** How many calls may wait for their activities; later ones begin with theirs. */
const MAX_BEGUN = 48
/** Its activity takes a call that has ended within this, or was given to another process. */
const KEPT_MS = 5_000

/** Calls to venues that begin with the decision to ask, for their activities to find. */
export function createEarlyCalls(
  call: (start: BookingStart, signal: AbortSignal) => Promise<Call>,
) {
  const begun = new Map<string, Begun>()
  return {
    begin(start: BookingStart): void {
      const { bookingId } = start
      if (begun.size >= MAX_BEGUN || begun.has(bookingId)) return
      const controller = new AbortController()
      const calling = call(start, controller.signal)
      const one = { calling, controller }
      begun.set(bookingId, one)
      const forget = () => {
        if (begun.get(bookingId) === one) begun.delete(bookingId)
      }
      const forgetSoon = () => setTimeout(forget, KEPT_MS).unref()
      calling.then(forgetSoon, forgetSoon)
    },
    /** Cancels the call that has begun, unless it was taken. */
    cancel(bookingId: string): void {
      begun.get(bookingId)?.controller.abort()
      begun.delete(bookingId)
    },
    /** The call that has begun, once; `signal` cancels it. */
    take(bookingId: string, signal: AbortSignal): Promise<Call> | undefined {
      const found = begun.get(bookingId)
      if (!found) return undefined
      begun.delete(bookingId)
      const cancel = () => found.controller.abort(signal.reason)
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      return found.calling
    },
  }
}
