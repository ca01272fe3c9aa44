import type { BookingStatus, CancelledBy } from '../../contract/rules/booking-status.ts'

// The whole rule of the cancellation fee.
//
// 1. A confirmed booking owes its fee (fees.ts). Cancelling never adds to it: the only question is
//    whether the fee stays. What was never confirmed has no fee.
// 2. Until `cancel_until` cancelling is free: the fee is taken back. That is the beginning of the
//    slot minus `cancel_cutoff_minutes` of the offering, 120 unless its venue says otherwise
//    (DEFAULT_CANCEL_CUTOFF_MINUTES).
// 3. Later the booking is cancelled all the same, and the cancellation fee is its whole fee: it stays.
// 4. The moment that counts is when the agent asked, however late a worker comes to it.
// 5. When the network or the venue cancels, the fee is always taken back. A no-show keeps it.
// 6. A booking that is amended in time gets the cut-off of its new slot. Amended too late it keeps
//    the old one: a change never brings back the right to cancel for free.

/** The fields of a public booking that decide its cancellation fee. */
type Cancellable = {
  status: BookingStatus
  cancel_until: string | null
  fee: { amount_minor: number; currency: string; status: string }
}

/** The cancellation fee, shown before and after: `fee` says what becomes of the booking's fee. */
export type Cancellation = {
  fee: 'none' | 'reversed' | 'kept'
  free_until: string | null
  amount_minor: number
  currency: string
  policy: string
}

/** What cancelling a booking at `at` comes to or, when it is cancelled already, came to. */
export function cancellationOf(
  booking: Cancellable,
  at: Date,
  by: CancelledBy = 'agent',
): Cancellation {
  const { cancel_until: free_until, fee } = booking
  const outcome = outcomeOf(booking, at, by)
  const amount_minor = outcome === 'kept' ? fee.amount_minor : 0
  return {
    fee: outcome,
    free_until,
    amount_minor,
    currency: fee.currency,
    policy: policyOf(free_until, outcome),
  }
}

function outcomeOf(
  { status, cancel_until, fee }: Cancellable,
  at: Date,
  by: CancelledBy,
): Cancellation['fee'] {
  if (fee.status === 'reversed') return 'reversed'
  if (fee.status === 'none') return 'none'
  if (status !== 'confirmed') return 'kept'
  const isFree = cancel_until !== null && at <= new Date(cancel_until)
  return isFree || by === 'network' || by === 'venue' ? 'reversed' : 'kept'
}

function policyOf(freeUntil: string | null, outcome: Cancellation['fee']): string {
  if (outcome === 'none') return 'No fee was recorded, and cancelling costs nothing.'
  const rule = `Cancelling is free until ${freeUntil}; after that the fee stays.`
  return outcome === 'kept' ? `${rule} It stays.` : `${rule} It is taken back.`
}

/** Until when an amended booking can be cancelled for free: rule 6. */
export const cancelUntilOf = (
  { status, cancel_until }: { status: BookingStatus; cancel_until: Date },
  newSlot: { cancelUntil: Date },
  at: Date,
): Date => (status === 'confirmed' && cancel_until < at ? cancel_until : newSlot.cancelUntil)
