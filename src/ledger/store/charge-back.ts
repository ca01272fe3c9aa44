import { type Db, query } from '../../platform/database/sql.ts'

/**
 * Charges back what was returned before `until` for items that were never charged because their
 * invoice was voided. Returns that are themselves on a voided invoice do not count.
 */
export const chargeBackReturns = (tx: Db, accountId: string, until: Date) =>
  query.execute(tx)`
    insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
      source_kind, source_id, at, note)
    select gen_random_uuid(), r.account_id, r.currency, 'accrued', 'unbilled', 'revenue',
      r.amount_minor, 'charged_back', r.id, greatest(r.at, i.voided_at),
      'Not charged before: ' || i.number || ' was taken back'
    from invoice i
      join invoice_line l on l.invoice_id = i.id
      join ledger_entry e on e.id = l.entry_id and e.debit = 'unbilled'
      left join fee_entry f on e.source_kind = 'fee' and f.id = e.source_id
      join ledger_entry r on r.source_kind = e.source_kind
        and r.source_id = coalesce(f.reversed_by, e.source_id)
        and r.kind = 'reversed'
    where i.account_id = ${accountId} and i.status = 'void' and i.voided_at < ${until}
      and r.at < ${until}
      and not exists (
        select from invoice_line returned join invoice o on o.id = returned.invoice_id
        where returned.entry_id = r.id and o.status = 'void')
    on conflict on constraint ledger_entry_once do nothing`

/**
 * Charges the negative credit that an account has before `until`, because credit that paid an
 * invoice was later refunded.
 */
export const chargeOverdrawnCredit = (tx: Db, accountId: string, until: Date) =>
  query.execute(tx)`
    insert into ledger_entry (id, account_id, currency, kind, debit, credit, amount_minor,
      source_kind, source_id, at, note)
    select gen_random_uuid(), ${accountId}, currency, 'corrected', 'unbilled', 'credit',
      sum(case debit when 'credit' then amount_minor else -amount_minor end),
      'overdrawn', gen_random_uuid(), max(at), 'Refunded after it had paid an invoice'
    from ledger_entry
    where account_id = ${accountId} and 'credit' in (debit, credit) and at < ${until}
    group by currency
    having sum(case debit when 'credit' then amount_minor else -amount_minor end) > 0`
