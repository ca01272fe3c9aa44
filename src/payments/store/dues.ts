import sql from 'sql-template-tag'
import { z } from 'zod'
import { int, isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { duePurposes } from '../rules/payments.ts'
import { isOf, type Payers } from './payers.ts'

const dueRow = z.object({
  id: z.uuid(),
  purpose: z.enum(duePurposes),
  account_id: z.uuid(),
  /** an invoice's number */
  number: z.string().nullable(),
  month: z.string(),
  amount_minor: z.int(),
  currency: z.string(),
  issued_at: z.date(),
  is_settled: z.boolean(),
})
export type Due = z.infer<typeof dueRow>

/**
 * All dues of accounts, paid or not: months of pro, payable in advance, and invoices for past
 * months. An unpaid month of pro moves to its invoice and is then no longer a due of its own.
 */
export const dues = sql`(
  select id, 'invoice' as purpose, account_id, number, month, total_minor - paid_minor
    as amount_minor, currency, issued_at, status <> 'open' as is_settled
  from invoice where kind = 'invoice' and total_minor > 0
  union all
  select i.id, 'pro', i.account_id, null, i.month, i.amount_minor, i.currency, i.created_at,
    i.amount_minor = 0
      or exists (select from payment p where p.due_id = i.id and p.state = 'succeeded'
        and not p.is_surplus)
      or exists (select from ledger_entry e join invoice_line l on l.entry_id = e.id
        where e.source_kind = 'plan_period' and e.source_id = i.id)
  from plan_period i where i.kind = 'pro'
) as due`

const columns = sql`id, purpose, account_id, number, to_char(month, 'YYYY-MM') as month,
  amount_minor, currency, issued_at, is_settled`

export const selectDue = (db: Db, id: string) =>
  query.optionalRow(db, dueRow)`select ${columns} from ${dues} where id = ${id}`

/** The due for the month of pro that contains `at`, if the account is charged for that month. */
export const selectProMonth = (db: Db, accountId: string, at: Date) =>
  query.optionalRow(db, dueRow)`
    select ${columns} from ${dues}
    where account_id = ${accountId} and purpose = 'pro'
      and month = date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date`

/** The price of an account's last month of pro, in US cents. Throws if it never had pro. */
export const selectLastProPrice = (db: Db, accountId: string) =>
  query.value(db, int)`
    select amount_minor as price from plan_period
    where account_id = ${accountId} and kind = 'pro' order by month desc limit 1`

const paidRow = z.object({ until: isoTime })

/** When the month of pro that contains `at` ends, if it was paid in advance. */
export const selectPaidMonth = (db: Db, accountId: string, at: Date) =>
  query.optionalRow(db, paidRow)`
    select (i.month + interval '1 month') at time zone 'UTC' as until
    from payment p join plan_period i on i.id = p.plan_period_id
    where p.account_id = ${accountId} and p.state = 'succeeded' and not p.is_surplus
      and i.month = date_trunc('month', ${at}::timestamptz at time zone 'UTC')::date`

/** An account's unpaid dues, oldest first. */
export const selectUnpaid = (db: Db, accountId: string) =>
  query.rows(db, dueRow)`
    select ${columns} from ${dues}
    where account_id = ${accountId} and not is_settled order by month, purpose, id`

/** The due that ended an account's pro tier; the oldest if there are several. */
export const selectWhyProEnded = (db: Db, accountId: string) =>
  query.optionalRow(db, dueRow)`
    select ${columns} from ${dues}
    where account_id = ${accountId} and not is_settled and exists (select from dunning d
      where d.due_id = due.id and d.pro_ended_at is not null and d.paid_at is null)
    order by month, id limit 1`

type Pass = {
  at: Date
  /** older dues are left for the customer to pay */
  since: Date
  /** maximum failures */
  failures: number
  payers: Payers
}

/**
 * Dues to charge, for the first time or again, by `at`, ordered by id. Amounts too small for a card
 * are retried after a month.
 */
export const selectToCharge = (db: Db, { at, since, failures, payers }: Pass, page: PageOfIds) =>
  query.rows(db, dueRow)`
    select ${columns} from ${dues}
    where not is_settled and issued_at > ${since}
      and (${page.after}::uuid is null or id > ${page.after})
      and ${isOf(payers, sql`due.account_id`)}
      and exists (select from account a where a.id = account_id and a.deleted_at is null)
      and not exists (select from dunning d
        where d.due_id = due.id and (d.failures >= ${failures} or d.next_at > ${at}
          or d.next_at is null))
      and not exists (select from payment p
        where p.due_id = due.id and (p.state in ('processing', 'unknown')
          or (p.reason = 'amount_too_small'
            and p.created_at > ${at}::timestamptz - interval '30 days')))
    order by id limit ${page.limit}`
