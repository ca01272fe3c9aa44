import type { Invariant } from '../invariants.ts'

/** Compares the chain's record with the network's, once nothing is in progress. */
export const chainInvariants = (payTo: string, funds: bigint): readonly Invariant[] => [
  {
    name: 'money that moved belongs to one payment that says so, of this wallet and amount',
    broken: `select t.hash, t.sender, t.amount, p.id, p.state from x402_local_transfer t
      left join x402_payment p on p.network = t.network and p.transaction = t.hash
      where t.recipient = $1 and (p.id is null or (p.payer, p.nonce, p.amount)
        is distinct from (t.sender, t.nonce, t.amount))`,
    values: [payTo],
  },
  {
    name: 'a payment that says its money moved has moved it',
    broken: `select p.id, p.state, p.transaction from x402_payment p
      where p.transaction is not null and not exists (
        select from x402_local_transfer t
        where t.hash = p.transaction and t.recipient = $1 and t.sender = p.payer)`,
    values: [payTo],
  },
  {
    name: 'money went back once for each payment that is refunded, and for no other',
    broken: `select p.id, p.state, t.hash, t.recipient, t.amount
      from (select * from x402_payment where state = 'refunded') p
      full join (select * from x402_local_transfer where sender = $1) t
        on t.hash = p.refund_transaction
      where (p.payer, p.amount) is distinct from (t.recipient, t.amount)`,
    values: [payTo],
  },
  {
    name: 'no wallet pays for its booking twice',
    broken: `select payer, count(*) from x402_payment where state in ('settled', 'refund_due')
      group by payer having count(*) > 1`,
  },
  {
    name: 'each wallet has what it was given, less what it paid, plus what came back',
    broken: `select w.address, w.balance, m.moved from x402_local_wallet w
      cross join lateral (
        select coalesce(sum(case w.address when recipient then amount else -amount end), 0) as moved
        from x402_local_transfer where w.address in (sender, recipient)) m
      where w.balance <> m.moved + case w.address when $1 then 0 else $2::bigint end`,
    values: [payTo, String(funds)],
  },
]
