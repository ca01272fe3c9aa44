/** What holds of every payment once nothing is under way. */
export const paymentInvariants: readonly { name: string; broken: string }[] = [
  {
    name: 'no booking that is paid first is confirmed and unpaid',
    broken: `select b.id, b.status, p.state from booking b
      join x402_payment p on p.booking_id = b.id
      where b.status in ('pending', 'offered', 'confirmed', 'completed', 'no_show')
        and p.state <> 'settled'`,
  },
  {
    name: 'no payment is settled without a booking that keeps it, or a refund due',
    broken: `select p.id, p.state, b.status, b.fee_status from x402_payment p
      left join booking b on b.id = p.booking_id
      where p.state = 'settled' and p.booking_id is not null and (b.id is null
        or b.status in ('held', 'declined', 'expired', 'released', 'failed')
        or (b.status = 'cancelled' and b.fee_status = 'reversed'))`,
  },
  {
    name: 'no payment is left without an outcome',
    broken: `select id, state, booking_id from x402_payment
      where state in ('verified', 'settling', 'unknown')`,
  },
  {
    name: 'a payment that failed has no transaction, and one that moved money has exactly one',
    broken: `select id, state, transaction from x402_payment
      where (state = 'failed') = (transaction is not null)`,
  },
  {
    name: 'the fee of a paid booking is the fee that was quoted',
    broken: `select p.id, p.price_minor, f.amount_minor from x402_payment p
      join fee_entry f on f.booking_id = p.booking_id and f.kind = 'accrual'
        and f.reversed_by is null
      join booking b on b.id = p.booking_id and b.changes = 0
      where p.state = 'settled' and (f.amount_minor, f.currency) <> (p.price_minor, p.currency)`,
  },
]
