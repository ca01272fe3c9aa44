/** The invariants of every payment once nothing is in progress. */
export const paymentInvariants: readonly { name: string; broken: string }[] = [
  {
    name: 'no booking that is paid first is confirmed and unpaid',
    broken: `select b.id, b.status, p.state from booking b join request r on r.booking_id = b.id
      left join x402_payment p on p.booking_id = b.id
      where b.status in ('pending', 'offered', 'confirmed', 'completed', 'no_show')
        and (r.paid_by = 'x402' or p.id is not null) and p.state is distinct from 'settled'`,
  },
  {
    name: 'no payment is settled without a booking that keeps it, or a refund due',
    broken: `select p.id, p.state, b.status, b.fee_status from x402_payment p
      left join booking b on b.id = p.booking_id
      where p.state = 'settled' and (b.id is null
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
      where p.state = 'settled'
        and (f.amount_minor, f.currency) <> (p.price_minor, p.currency)`,
  },
  {
    name: 'the ledger has of each payment what came in, and nothing of one that went back',
    broken: `select p.id, p.state, s.cash, s.credit from x402_payment p
      join request r on r.booking_id = p.booking_id join venue v on v.id = r.venue_id
      cross join lateral (
        select
          coalesce(sum(case when debit = 'cash' then amount_minor else -amount_minor end)
            filter (where source_kind = 'x402_cash'), 0) as cash,
          coalesce(sum(case when credit = 'credit' then amount_minor else -amount_minor end)
            filter (where source_kind = 'x402'), 0) as credit
        from ledger_entry e where e.source_id = p.id) s
      where not v.is_demo and (
        s.cash <> case when p.state in ('settled', 'refund_due') then p.amount else 0 end
        or s.credit <> case p.state when 'settled' then p.price_minor else 0 end)`,
  },
]
