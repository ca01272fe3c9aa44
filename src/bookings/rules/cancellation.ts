import type { BookingStatus, CancelledBy } from '../../base/booking-status.ts'
import { zonedMinute, zonedTime } from '../../base/local-time.ts'
import { money } from '../../base/money.ts'
import type { Booking, Cancellation } from '../../contract/public.ts'

// The complete rules for cancellation fees.
//
// 1. A confirmed booking owes its fee (store/fees.ts). Cancelling never adds to it: the only
//    question is whether the fee stays. A booking that was never confirmed owes no fee.
// 2. Until `cancel_until` cancelling is free: the fee is reversed. That is the start of the slot
//    minus the service's `cancel_cutoff_minutes`, 120 unless its venue says otherwise
//    (DEFAULT_CANCEL_CUTOFF_MINUTES).
// 3. After that it can still be cancelled, but its whole fee stays: the cancellation fee.
// 4. What counts is when the agent asked, however late a worker gets to it.
// 5. If the network, its operator or the venue cancels, the fee is always reversed, and nobody
//    pays. After a no-show it stays.
// 6. A booking amended in time gets the cut-off of its new slot. If amended too late, it keeps the
//    old one: a change never restores the right to cancel for free, nor lowers the fee.
// 7. At a demo venue nothing is charged, so cancelling costs nothing at any time.
// 8. A deposit is between guest and venue: none of this touches it, and the answer says so.

type Cancellable = Pick<Booking, 'status' | 'cancel_until' | 'timezone' | 'fee' | 'deposit'>

/** The cost of cancelling a booking at `at` or, if it is already cancelled, the actual cost. */
export function cancellationOf(
  booking: Cancellable,
  at: Date,
  by: CancelledBy = 'agent',
): Cancellation {
  const { cancel_until: free_until, timezone, fee } = booking
  const outcome = outcomeOf(booking, at, by)
  const amount_minor = outcome === 'kept' ? fee.amount_minor : 0
  return {
    fee: outcome,
    free_until,
    free_until_local: free_until && zonedTime(timezone, new Date(free_until)),
    amount_minor,
    text: money(amount_minor, fee.currency),
    currency: fee.currency,
    charged_to: fee.charged_to,
    policy: policyOf(booking, outcome),
    ...(booking.deposit && { deposit: depositWords(booking.deposit) }),
  }
}

/** What becomes of a deposit, in the words of its venue where it has said. */
function depositWords({ kind, text, kept_when }: NonNullable<Booking['deposit']>): string {
  const none = `The network took none of the ${kind} of ${text}.`
  if (!kept_when) return `${none} The venue has not said when it keeps it: ask the venue.`
  const keeps = kind === 'deposit' ? 'keeps what its guest has paid' : 'charges the card'
  return `${none} The venue ${keeps} when: ${kept_when.replace(/\.$/, '')}.`
}

const isFree = ({ cancel_until }: Cancellable, at: Date) =>
  cancel_until !== null && at <= new Date(cancel_until)
const isOurs = (by: CancelledBy) => by !== 'agent' && by !== 'guest'

function outcomeOf(booking: Cancellable, at: Date, by: CancelledBy) {
  const { status, fee } = booking
  if (fee.status === 'reversed') return 'reversed'
  if (fee.status === 'none' || fee.status === 'not_charged') return 'none'
  if (status !== 'confirmed' && fee.status !== 'expected') return 'kept'
  return isFree(booking, at) || isOurs(by) ? 'reversed' : 'kept'
}

/** Worded to apply both before and after a cancellation. */
function policyOf(
  { cancel_until, timezone, fee }: Cancellable,
  outcome: Cancellation['fee'],
): string {
  if (outcome === 'none') {
    const why = fee.status === 'none' ? 'no fee was recorded' : 'this is a demo venue'
    return `Cancelling costs nothing: ${why}.`
  }
  const amount = money(fee.amount_minor, fee.currency)
  const limit = cancel_until && zonedMinute(timezone, new Date(cancel_until))
  if (outcome === 'kept') {
    const why = limit ? `: it was free until ${limit}` : ''
    return `Cancelling costs ${amount}, charged to ${fee.charged_to}${why}.`
  }
  if (fee.status === 'reversed') return 'The fee was taken back: nothing is charged.'
  return (
    `Cancelling costs nothing until ${limit}: the fee of ${amount} is taken back. Cancelling ` +
    `after that costs ${amount}, charged to ${fee.charged_to}.`
  )
}

type Amendable = { status: BookingStatus; cancel_until: Date }

/** Whether an amendment comes too late to reduce the fee (rule 6). */
export const isAmendedLate = ({ status, cancel_until }: Amendable, at: Date): boolean =>
  status === 'confirmed' && cancel_until < at

/** Until when cancelling an amended booking is free (rule 6). */
export const cancelUntilOf = (
  booking: Amendable,
  newSlot: { cancelUntil: Date },
  at: Date,
): Date => (isAmendedLate(booking, at) ? booking.cancel_until : newSlot.cancelUntil)
