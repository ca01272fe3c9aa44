import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow, queryRows } from '../../platform/database/sql.ts'
import { purposes } from '../rules/payments.ts'
import { isOf, type Payers } from './payers.ts'

const dunningRow = z.object({
  due_id: z.uuid(),
  purpose: z.enum(purposes),
  account_id: z.uuid(),
  failures: z.int(),
  reason: z.string(),
  since: z.date(),
  next_at: z.date().nullable(),
  pro_ended_at: z.date().nullable(),
  paid_at: z.date().nullable(),
  notices: z.int(),
  mailed: z.int(),
})
export type Dunning = z.infer<typeof dunningRow>

const columns = sql`due_id, purpose, account_id, failures, reason, since, next_at, pro_ended_at,
  paid_at, notices, mailed`

/** Locks the dunning of what is due, if it has failed before. */
export const lockDunning = (tx: Db, dueId: string) =>
  queryOptionalRow(tx, dunningRow)`
    select ${columns} from dunning where due_id = ${dueId} for update`

/** Records one more failure, and that a mail about it is owed. */
export const upsertFailure = (
  tx: Db,
  failure: Omit<Dunning, 'pro_ended_at' | 'paid_at' | 'notices' | 'mailed'>,
) =>
  execute(tx)`
    insert into dunning (due_id, purpose, account_id, failures, reason, since, next_at, notices)
    values (${failure.due_id}, ${failure.purpose}, ${failure.account_id}, ${failure.failures},
      ${failure.reason}, ${failure.since}, ${failure.next_at}, 1)
    on conflict (due_id) do update set failures = excluded.failures,
      reason = excluded.reason, next_at = excluded.next_at, notices = dunning.notices + 1`

/**
 * A month of pro that stayed unpaid until the month was over is on an invoice: its dunning goes on
 * as that of the invoice, unless that has one of its own.
 */
export const carryOverDunnings = (db: Db) =>
  execute(db)`
    update dunning d set due_id = l.invoice_id, purpose = 'invoice',
      next_at = case when m.status = 'open' then d.next_at end,
      paid_at = case when m.status = 'paid' then m.paid_at end
    from ledger_entry e join invoice_line l on l.entry_id = e.id
      join monthly_invoice m on m.id = l.invoice_id
    where d.purpose = 'pro' and d.paid_at is null and e.source_kind = 'pro_month'
      and e.source_id = d.due_id
      and not exists (select from dunning o where o.due_id = l.invoice_id)`

/** Dunnings whose time has come to end pro. */
export const selectGraceOver = (
  db: Db,
  { at, failures, payers }: { at: Date; failures: number; payers: Payers },
  page: { after: string | null; limit: number },
) =>
  queryRows(db, dunningRow)`
    select ${columns} from dunning
    where next_at <= ${at} and failures >= ${failures}
      and ${isOf(payers, sql`dunning.account_id`)}
      and (${page.after}::uuid is null or due_id > ${page.after})
    order by due_id limit ${page.limit}`

/** Ends a dunning without money. `proEndedAt`: when that ended pro, null if there was none. */
export const updateGraceOver = (tx: Db, dueId: string, proEndedAt: Date | null) =>
  execute(tx)`
    update dunning set next_at = null, pro_ended_at = ${proEndedAt},
      notices = notices + case when ${proEndedAt}::timestamptz is null then 0 else 1 end
    where due_id = ${dueId}`

const paidRow = z.object({ pro_ended_at: z.date().nullable() })

/** Ends a dunning with money; undefined if there was none. */
export const updatePaid = (tx: Db, dueId: string, at: Date) =>
  queryOptionalRow(tx, paidRow)`
    update dunning set next_at = null, paid_at = ${at}, mailed = notices
    where due_id = ${dueId} and paid_at is null returning pro_ended_at`

/** Dunnings that owe mails, in the order of their ids. */
export const selectUnmailed = (db: Db, page: { after: string | null; limit: number }) =>
  queryRows(db, dunningRow)`
    select ${columns} from dunning
    where mailed < notices and (${page.after}::uuid is null or due_id > ${page.after})
    order by due_id limit ${page.limit}`

/** Records that the mails up to this one were sent. */
export const updateMailed = (db: Db, dueId: string, notices: number) =>
  execute(db)`
    update dunning set mailed = greatest(mailed, ${notices}) where due_id = ${dueId}`
