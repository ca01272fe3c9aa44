import type { BookingStatus } from '../../contract/rules/booking-status.ts'

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

/** The cancellation fee at `at`; of a cancelled booking, the fee that was kept. */
export function cancellationOf(booking: Cancellable, at: Date): Cancellation {
  const { cancel_until: free_until, fee } = booking
  const outcome = outcomeOf(booking, at)
  const amount_minor = outcome === 'kept' ? fee.amount_minor : 0
  return {
    fee: outcome,
    free_until,
    amount_minor,
    currency: fee.currency,
    policy: policyOf(free_until, outcome),
  }
}

function outcomeOf({ status, cancel_until, fee }: Cancellable, at: Date): Cancellation['fee'] {
  if (fee.status === 'reversed') return 'reversed'
  if (fee.status === 'none') return 'none'
  if (status !== 'confirmed') return 'kept'
  return cancel_until !== null && at <= new Date(cancel_until) ? 'reversed' : 'kept'
}

function policyOf(freeUntil: string | null, outcome: Cancellation['fee']): string {
  if (outcome === 'none') return 'No fee was recorded, and cancelling costs nothing.'
  const rule = `Cancelling is free until ${freeUntil}; after that the fee stays.`
  return outcome === 'kept' ? `${rule} It stays.` : `${rule} It is taken back.`
}
