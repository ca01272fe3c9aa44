import type { Db } from '../../platform/database/sql.ts'
import type { Card } from '../rules/provider.ts'
import { selectBookingPayer } from '../store/booking-payers.ts'

/** How an account's bookings are paid for: `card` pays the fee of each booking as it is made. */
export type BookingPayment = {
  by: 'plan' | 'card' | 'nothing'
  /** the card on file; null if there is none, or the provider has not said which it is */
  card: Card | null
  /** what a booking costs the account, such as `2 % of the expected spend` */
  fee: string
}

/** How an account's bookings are paid for; a sandbox's cost nothing. */
export async function readBookingPayment(
  db: Db,
  accountId: string,
  feePct: number,
): Promise<BookingPayment> {
  const { has_plan, has_card, brand, last4 } = await selectBookingPayer(db, accountId)
  const by = has_plan ? 'plan' : has_card ? 'card' : 'nothing'
  const card = brand !== null && last4 !== null ? { brand, last4 } : null
  return { by, card, fee: `${feePct} % of the expected spend` }
}
