import { DAY_MS } from '../../src/base/durations.ts'
import { closeMonths } from '../../src/ledger/steps/close-months.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'

/** An entry's effect on a ledger account: positive as a debit, negative as a credit. */
const side = (account: string) => `sum(case '${account}' when debit then amount_minor
  when credit then -amount_minor else 0 end)`

/**
 * The bookkeeping reconciliations (docs/operate/month-end.md), as queries for rows that disagree.
 * Debits need not be compared with credits: each entry names both sides of one amount.
 */
export const bookInvariants = [
  {
    name: 'fees agree with what the ledger accrued less what it reversed',
    broken: `select account_id, currency, sum(fees) as fees, sum(ledger) as ledger from (
        select account_id, f.currency, case kind when 'accrual' then amount_minor
          else -amount_minor end as fees, 0 as ledger
        from fee_entry f join account a on a.id = f.account_id
        where not is_demo or a.mode = 'test'
        union all
        select account_id, currency, 0, case kind when 'accrued' then amount_minor
          else -amount_minor end
        from ledger_entry where source_kind = 'fee') both_sides
      group by 1, 2 having sum(fees) <> sum(ledger)`,
  },
  {
    name: 'the lines of an invoice add up to its total',
    broken: `select i.id, i.number, i.total_minor, sum(l.amount_minor) as lines
      from invoice i left join invoice_line l on l.invoice_id = i.id
      group by i.id having i.total_minor is distinct from sum(l.amount_minor)`,
  },
  {
    name: 'invoices agree with what the ledger invoiced',
    broken: `select i.id, i.number, i.total_minor from invoice i
      left join ledger_entry e on e.source_kind = 'invoice' and e.source_id = i.id
        and e.kind = 'invoiced'
      where i.kind = 'invoice' and i.total_minor <> coalesce(
        case e.debit when 'receivable' then e.amount_minor else -e.amount_minor end, 0)`,
  },
  {
    name: 'what is receivable is what open invoices leave to be paid',
    broken: `select account_id, currency, sum(ledger) as ledger, sum(open) as open from (
        select account_id, currency, ${side('receivable')} as ledger, 0 as open
        from ledger_entry group by 1, 2
        union all
        select account_id, currency, 0, total_minor - paid_minor
        from invoice where status = 'open') both_sides
      group by 1, 2 having sum(ledger) <> sum(open)`,
  },
  {
    name: 'what is unbilled is what is on no invoice',
    broken: `select account_id, currency, sum(ledger) as ledger, sum(loose) as loose from (
        select account_id, currency, ${side('unbilled')} as ledger, 0 as loose
        from ledger_entry group by 1, 2
        union all
        select account_id, currency, 0, case debit when 'unbilled' then amount_minor
          else -amount_minor end
        from ledger_entry e
        where kind in ('accrued', 'reversed', 'corrected')
          and 'unbilled' in (debit, credit)
          and not exists (select from invoice_line l where l.entry_id = e.id)) both_sides
      group by 1, 2 having sum(ledger) <> sum(loose)`,
  },
  {
    name: 'no account has less than nothing in credit',
    broken: `select account_id, currency, ${side('credit')} as debit from ledger_entry
      group by 1, 2 having ${side('credit')} > 0`,
  },
]

/** Ends the month: closes every account's books as of a later month. */
export async function closeBooks(db: Pool): Promise<void> {
  const at = new Date(Date.now() + 40 * DAY_MS)
  const log = createLog('silent')
  for (let more = true; more; ) more = (await closeMonths({ db, log }, at)).next !== null
}
