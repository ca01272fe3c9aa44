import type { BookingStart, Call } from '../../bookings/rules/booking-messages.ts'

type EarlyCall = { calling: Promise<Call>; controller: AbortController }

/** Maximum number of calls waiting for their activities; others begin in their activities. */
const MAX_BEGUN = 48
/** How long a finished call waits for its activity, which must then be in another process. */
const KEPT_MS = 5_000

/** Calls that begin as soon as it is decided to ask a venue, for their activities to pick up. */
export function createEarlyCalls(
  call: (start: BookingStart, signal: AbortSignal) => Promise<Call>,
) {
  const calls = new Map<string, EarlyCall>()
  return {
    begin(start: BookingStart): void {
      const { bookingId } = start
      if (calls.size >= MAX_BEGUN || calls.has(bookingId)) return
      const controller = new AbortController()
      const calling = call(start, controller.signal)
      const one = { calling, controller }
      calls.set(bookingId, one)
      const forget = () => {
        if (calls.get(bookingId) === one) calls.delete(bookingId)
      }
      const forgetSoon = () => setTimeout(forget, KEPT_MS).unref()
      calling.then(forgetSoon, forgetSoon)
    },
    /** Cancels the early call, unless it has been taken. */
    cancel(bookingId: string): void {
      calls.get(bookingId)?.controller.abort()
      calls.delete(bookingId)
    },
    /** Takes the early call, once; `signal` cancels it. */
    take(bookingId: string, signal: AbortSignal): Promise<Call> | undefined {
      const begun = calls.get(bookingId)
      if (!begun) return undefined
      calls.delete(bookingId)
      const cancel = () => begun.controller.abort(signal.reason)
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      return begun.calling
    },
  }
}
