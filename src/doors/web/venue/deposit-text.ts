import type { VenueBooking } from '../../../confirmation/store/venue-bookings.ts'
import { toLocal } from '../../../contract/rules/local-time.ts'
import { money } from '../../../contract/rules/money.ts'
import { localWords } from './booking-text.ts'

/** What became of a deposit, or will, for the staff of its venue. */
export function depositWords({ deposit, cancel_until, timezone }: VenueBooking): string | null {
  if (!deposit) return null
  const isDeposit = deposit.kind === 'deposit'
  const until = localWords(toLocal(timezone, cancel_until))
  const yours = `if the guests do not come, or cancel after ${until}`
  const words: Record<typeof deposit.status, string> = {
    due: isDeposit ? 'taken with the confirmation' : `charged only ${yours}`,
    taken: isDeposit ? `taken. It is yours ${yours}` : `charged only ${yours}`,
    kept: isDeposit ? 'kept for you' : 'charged for you',
    returned: isDeposit ? 'returned' : 'not charged',
    void: isDeposit ? 'not taken' : 'not charged',
  }
  return `${amountOf(deposit)}, ${words[deposit.status]}`
}

/** What a report about the visit does to a deposit; undefined for nothing. */
export function afterReport({ deposit }: VenueBooking, said: 'no_show' | 'attended') {
  if (!deposit) return undefined
  const what = `The ${deposit.kind} of ${amountOf(deposit)}`
  if (said === 'no_show') return deposit.status === 'taken' ? `${what} is kept for you.` : undefined
  return deposit.status === 'kept' ? `${what} is given back.` : undefined
}

const amountOf = ({ amount_minor, currency }: NonNullable<VenueBooking['deposit']>) =>
  money(amount_minor, currency)
