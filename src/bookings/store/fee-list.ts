import sql from 'sql-template-tag'
import { z } from 'zod'
import { withTexts } from '../../contract/local-times.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import { feeEntry, monthlyFees } from '../schema/fees.ts'
import { jsonTime } from './booking-view.ts'
import { feePayer } from './fee-payer.ts'

/** A filter on fee entries: by account and, if given, by period and currency. */
type FeeFilter = {
  accountId: string
  from: Date | null
  until: Date | null
  currency: string | null
}

/** `after` is the last entry of the previous page. */
type Page = { after: { at: Date; id: string } | null; limit: number; withoutTotals?: true }

const feeRow = feeEntry.extend({ created_at: jsonTime }).overwrite(withTexts)
const monthRow = monthlyFees.overwrite(withTexts)
const listRow = z.object({ entries: z.array(feeRow), totals: z.array(monthRow) })

/**
 * A page of fee entries, newest first, and the monthly totals (UTC) of all entries that match the
 * filter. One statement reads both, so that they agree; without totals, it reads only the page.
 */
export async function selectFees(
  db: Db,
  { accountId, from, until, currency }: FeeFilter,
  page: Page,
) {
  const [list] = await query.rowsUnprepared(db, listRow)`
    with entry as not materialized (
      select id, kind, booking_id, base_minor, pct, amount_minor, currency, is_demo, reverses,
        reversed_by, created_at
      from fee_entry
      where account_id = ${accountId} and (${from}::timestamptz is null or created_at >= ${from})
        and (${until}::timestamptz is null or created_at < ${until})
        and (${currency}::text is null or currency = ${currency})
    ), page as (
      select * from entry
      where ${page.after?.at}::timestamptz is null
        or (created_at, id) < (${page.after?.at}, ${page.after?.id}::uuid)
      order by created_at desc, id desc limit ${page.limit}
    ), month as (
      select date_trunc('month', created_at at time zone 'UTC') as month, currency, is_demo,
        count(*) as entries,
        coalesce(sum(amount_minor) filter (where kind = 'accrual'), 0) as accrued_minor,
        coalesce(sum(amount_minor) filter (where kind = 'reversal'), 0) as reversed_minor
      from entry group by 1, 2, 3
    )
    select
      (select coalesce(json_agg(p order by p.created_at desc, p.id desc), '[]') from (
        select page.*, l.invoice_id,
            ${feePayer(sql`page.is_demo`, sql`r.paid_by`)} as charged_to
          from page join request r using (booking_id)
          left join ledger_entry e on e.source_kind = 'fee' and e.source_id = page.id
          left join invoice_line l on l.entry_id = e.id) p) as entries,
      case when ${page.withoutTotals ?? false} then '[]' else (
        select coalesce(json_agg(m order by m.month desc, m.currency, m.is_demo), '[]') from (
          select to_char(month, 'YYYY-MM') as month, currency, is_demo, entries, accrued_minor,
            reversed_minor, accrued_minor - reversed_minor as total_minor
          from month) m)
      end as totals`
  if (list === undefined) throw new Error('a statement without `from` answered no row')
  return list
}
