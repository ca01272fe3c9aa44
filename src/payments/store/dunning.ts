import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { purposes } from '../rules/payments.ts'
import { dues } from './dues.ts'
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

/** Locks a due's dunning, if there is one. */
export const lockDunning = (tx: Db, dueId: string) =>
  query.optionalRow(tx, dunningRow)`
    select ${columns} from dunning where due_id = ${dueId} for update`

/** Records a failure and an email to send. After the end of pro, nothing more is scheduled. */
export const upsertFailure = (
  tx: Db,
  failure: Omit<Dunning, 'pro_ended_at' | 'paid_at' | 'notices' | 'mailed'>,
) =>
  query.execute(tx)`
    insert into dunning (due_id, purpose, account_id, failures, reason, since, next_at, notices)
    values (${failure.due_id}, ${failure.purpose}, ${failure.account_id}, ${failure.failures},
      ${failure.reason}, ${failure.since}, ${failure.next_at}, 1)
    on conflict (due_id) do update set failures = excluded.failures,
      reason = excluded.reason, notices = dunning.notices + 1,
      next_at = case when dunning.pro_ended_at is null then excluded.next_at end`

const carriedOver = sql`
  d.purpose = 'pro' and d.paid_at is null and e.source_kind = 'plan_period'
  and e.source_id = d.due_id
  and not exists (select from dunning o where o.due_id = l.invoice_id)`

/** Dunnings for pro months that have since been invoiced, ordered by id. */
export const selectToCarryOver = (db: Db, page: PageOfIds) =>
  query.rows(db, dunningRow.pick({ due_id: true, account_id: true }))`
    select d.due_id, d.account_id
    from dunning d cross join ledger_entry e join invoice_line l on l.entry_id = e.id
    where ${carriedOver} and (${page.after}::uuid is null or d.due_id > ${page.after})
    order by d.due_id limit ${page.limit}`

const endedRow = z.object({ account_id: z.uuid(), pro_ended_at: z.date().nullable() })
export type EndedDunning = z.infer<typeof endedRow>
const carriedRow = endedRow.extend({ is_settled: z.boolean() })

/**
 * Moves the dunning for a pro month that ended unpaid to its invoice, unless the invoice already
 * has one. Undefined if already moved.
 */
export const updateCarriedOver = (tx: Db, dueId: string) =>
  query.optionalRow(tx, carriedRow)`
    update dunning d set due_id = l.invoice_id, purpose = 'invoice',
      next_at = case when m.status = 'open' then d.next_at end,
      paid_at = case when m.status = 'paid' then m.paid_at end,
      mailed = case when m.status = 'open' then d.mailed else d.notices end
    from ledger_entry e join invoice_line l on l.entry_id = e.id
      join invoice m on m.id = l.invoice_id
    where d.due_id = ${dueId} and ${carriedOver}
    returning d.account_id, d.pro_ended_at, m.status <> 'open' as is_settled`

/** The dunning rows of unsettled dues whose grace period is over. */
export const selectGraceOver = (
  db: Db,
  { at, failures, payers }: { at: Date; failures: number; payers: Payers },
  page: PageOfIds,
) =>
  query.rows(db, dunningRow)`
    select ${columns} from dunning
    where next_at <= ${at} and failures >= ${failures}
      and exists (select from ${dues} where due.id = due_id and not is_settled)
      and ${isOf(payers, sql`dunning.account_id`)}
      and (${page.after}::uuid is null or due_id > ${page.after})
    order by due_id limit ${page.limit}`

/** Ends an unpaid dunning. `proEndedAt` is when it ended pro; null if it did not. */
export const updateGraceOver = (tx: Db, dueId: string, proEndedAt: Date | null) =>
  query.execute(tx)`
    update dunning set next_at = null, pro_ended_at = ${proEndedAt},
      notices = notices + case when ${proEndedAt}::timestamptz is null then 0 else 1 end
    where due_id = ${dueId}`

/** Ends a due's dunning; `paidAt` is null if nothing was paid. Undefined if none was unpaid. */
export const updateEnded = (tx: Db, dueId: string, paidAt: Date | null) =>
  query.optionalRow(tx, endedRow)`
    update dunning set next_at = null, paid_at = ${paidAt}, mailed = notices
    where due_id = ${dueId} and paid_at is null returning account_id, pro_ended_at`

/** Dunnings with unsent emails, ordered by id. */
export const selectUnmailed = (db: Db, page: PageOfIds) =>
  query.rows(db, dunningRow)`
    select ${columns} from dunning
    where mailed < notices and (${page.after}::uuid is null or due_id > ${page.after})
    order by due_id limit ${page.limit}`

/** Records that the emails up to this one have been sent. */
export const updateMailed = (db: Db, dueId: string, notices: number) =>
  query.execute(db)`
    update dunning set mailed = greatest(mailed, ${notices}) where due_id = ${dueId}`
