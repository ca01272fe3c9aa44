import { z } from 'zod'
import { idRow } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import type { EntryKind } from '../rules/ledger.ts'

const issuedRow = idRow.extend({
  number: z.string(),
  currency: z.string(),
  total_minor: z.int(),
  credit_minor: z.int(),
})
export type Issued = z.infer<typeof issuedRow>

/** Entry kinds that invoices charge unless paid in advance: fees, pro, corrections. */
const billedKinds: EntryKind[] = ['accrued', 'reversed', 'corrected']

type Month = { accountId: string; from: Date; until: Date; at: Date; dueAt: Date }

/**
 * Issues an account's invoices for a month: one per currency with uninvoiced entries, unless the
 * month already has one. Credit pays as much as it covers. A single statement reads and assigns the
 * entries, so that total and lines agree.
 */
export const insertInvoicesOfMonth = (tx: Db, { accountId, from, until, at, dueAt }: Month) =>
  query.rows(tx, issuedRow)`
    with taken as (
      select e.id, e.currency, e.source_kind, e.source_id, e.note, e.at,
        case e.credit when 'unbilled' then -e.amount_minor else e.amount_minor end as amount_minor
      from ledger_entry e
      where e.account_id = ${accountId} and e.kind = any(${billedKinds}) and e.at < ${until}
        and 'unbilled' in (e.debit, e.credit)
        and not exists (select from invoice_line l where l.entry_id = e.id)
        and not exists (select from invoice i
          where i.account_id = ${accountId} and i.month = (${from}::timestamptz at time zone 'UTC')
            and i.currency = e.currency and i.kind = 'invoice')
    ), owed as (
      select currency, sum(case credit when 'credit' then amount_minor else -amount_minor end)
        as amount_minor
      from ledger_entry where account_id = ${accountId} and 'credit' in (debit, credit)
      group by currency
    ), sums as (
      select t.currency, t.total_minor,
        greatest(0, least(t.total_minor, coalesce(o.amount_minor, 0))) as credit_minor,
        (select coalesce(max(sequence), 0) from invoice where account_id = ${accountId})
          + row_number() over (order by t.currency) as sequence
      from (select currency, sum(amount_minor) as total_minor from taken group by 1) t
        left join owed o on o.currency = t.currency
    ), issued as (
      insert into invoice (id, account_id, kind, sequence, number, month, currency,
        total_minor, credit_minor, paid_minor, status, issued_at, due_at, paid_at)
      select gen_random_uuid(), ${accountId}, 'invoice', sequence,
        invoice_number(${accountId}, sequence::int), ${from}::timestamptz at time zone 'UTC',
        currency, total_minor, credit_minor, credit_minor,
        case when total_minor > credit_minor then 'open' else 'paid' end, ${at}, ${dueAt},
        case when total_minor > credit_minor then null else ${at}::timestamptz end
      from sums
      returning id, number, currency, total_minor, credit_minor, sequence
    ), lines as (
      insert into invoice_line (invoice_id, position, entry_id, kind, description, booking_id,
        slot_time, timezone, party_size, base_minor, pct, amount_minor, at)
      select i.id, row_number() over (partition by i.id order by t.at, t.id), t.id,
        case when t.source_kind = 'plan_period' then 'pro' when f.id is null then 'adjustment'
          when t.amount_minor < 0 then 'reversal' else 'fee' end,
        coalesce(v.name, t.note,
          case t.source_kind when 'plan_period' then 'Pro tier, '
            || to_char(p.month, 'FMMonth YYYY') else 'Adjustment' end),
        b.id, b.slot_time, a.timezone, b.party_size, f.base_minor, f.pct, t.amount_minor, t.at
      from taken t join issued i on i.currency = t.currency
        left join fee_entry f on t.source_kind = 'fee' and f.id = t.source_id
        left join plan_period p on t.source_kind = 'plan_period' and p.id = t.source_id
        left join booking b on b.id = f.booking_id
        left join venue v on v.id = b.venue_id
        left join area a on a.slug = v.area_slug
    )
    select id, number, currency, total_minor, credit_minor from issued order by sequence`

const optionalTime = z.date().nullable()

/** Locks an account while its months are closed or its invoices are numbered. */
export const lockInvoices = (tx: Db, accountId: string) =>
  query.optionalRow(tx, idRow)`
    select id from account where id = ${accountId} for no key update`

/** The time of the oldest uninvoiced entry before `until`, or null. */
export const selectOldestUnbilled = (tx: Db, accountId: string, until: Date) =>
  query.value(tx, optionalTime)`
    select min(at) from ledger_entry e
    where account_id = ${accountId} and kind = any(${billedKinds}) and at < ${until}
      and 'unbilled' in (e.debit, e.credit)
      and not exists (select from invoice_line l where l.entry_id = e.id)`

/** Records that the months before `until` are closed; never moves back. */
export const updateInvoicedUntil = (tx: Db, accountId: string, until: Date) =>
  query.execute(tx)`
    update account set invoiced_until = greatest(invoiced_until, ${until}) where id = ${accountId}`

/** Accounts with open months before `until`, deleted or not, but no sandboxes on a test clock. */
export const selectAccountsToClose = (db: Db, until: Date, { after, limit }: PageOfIds) =>
  query.rows(db, idRow)`
    select id from account
    where (invoiced_until is null or invoiced_until < ${until})
      and sandbox_kind is distinct from 'clock'
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`
