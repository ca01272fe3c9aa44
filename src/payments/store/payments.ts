import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { paymentStates, purposes } from '../rules/payments.ts'
import { isOf, type Payers } from './payers.ts'

const paymentRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  purpose: z.enum(purposes),
  due_id: z.uuid().nullable(),
  amount_minor: z.int(),
  currency: z.string(),
  provider: z.string(),
  provider_id: z.string().nullable(),
  page_id: z.string().nullable(),
  page_url: z.string().nullable(),
  state: z.enum(paymentStates),
  reason: z.string().nullable(),
  made_by: z.enum(['customer', 'network']),
  idempotency_key: z.string(),
  is_surplus: z.boolean(),
  refunded_minor: z.int(),
  created_at: z.date(),
  updated_at: z.date(),
})
export type Payment = z.infer<typeof paymentRow>

const columns = sql`id, account_id, purpose, due_id, amount_minor, currency, provider,
  provider_id, page_id, page_url, state, reason, made_by, idempotency_key, is_surplus,
  refunded_minor, created_at, updated_at`

export type NewPayment = Pick<
  Payment,
  | 'id'
  | 'account_id'
  | 'purpose'
  | 'due_id'
  | 'amount_minor'
  | 'currency'
  | 'provider'
  | 'state'
  | 'made_by'
> & { at: Date }

/** Locks an account while one of its payments begins or succeeds. */
export const lockPayer = (tx: Db, accountId: string) =>
  query.execute(tx)`select from account where id = ${accountId} for no key update`

/**
 * Begins a payment, with its account locked; false if another payment for the same due is in flight
 * or has succeeded.
 */
export const insertPayment = async (db: Db, payment: NewPayment): Promise<boolean> =>
  (await query.execute(db)`
    insert into payment (id, account_id, purpose, due_id, amount_minor, currency, provider,
      state, made_by, idempotency_key, created_at, updated_at)
    select ${payment.id}, ${payment.account_id}, ${payment.purpose}, ${payment.due_id},
      ${payment.amount_minor}, ${payment.currency}, ${payment.provider}, ${payment.state},
      ${payment.made_by}, ${`payment:${payment.id}`}, ${payment.at}, ${payment.at}
    where not exists (select from payment p left join plan_period i on i.id = p.plan_period_id
      where p.account_id = ${payment.account_id} and p.state = 'succeeded'
        and not p.is_surplus and (
        p.due_id = ${payment.due_id} or (${payment.due_id}::uuid is null
          and i.month = date_trunc('month', ${payment.at}::timestamptz at time zone 'UTC')::date)))
    on conflict do nothing`) === 1

export const selectPayment = (db: Db, id: string) =>
  query.optionalRow(db, paymentRow)`select ${columns} from payment where id = ${id}`

/** Locks a payment until the transaction ends. */
export const lockPayment = (tx: Db, id: string) =>
  query.optionalRow(tx, paymentRow)`select ${columns} from payment where id = ${id} for update`

/** The payment in flight for a due or, if `isPro`, for a month of pro. */
export const selectInFlight = (
  db: Db,
  which: { accountId: string; dueId: string | null; isPro: boolean },
) =>
  query.optionalRow(db, paymentRow)`
    select ${columns} from payment
    where account_id = ${which.accountId}
      and state in ('created', 'processing', 'unknown', 'authorized')
      and (due_id = ${which.dueId} or (${which.isPro} and purpose = 'pro'))
    order by id limit 1`

/** An account's payments, newest first. */
export const selectPayments = (
  db: Db,
  accountId: string,
  { before, limit }: { before: string | null; limit: number },
) =>
  query.rows(db, paymentRow)`
    select ${columns} from payment
    where account_id = ${accountId} and (${before}::uuid is null or id < ${before})
    order by id desc limit ${limit}`

/** Payments in flight without news since `before`, ordered by id. */
export const selectUndecided = (db: Db, before: Date, payers: Payers, page: PageOfIds) =>
  query.rows(db, paymentRow)`
    select ${columns} from payment
    where state in ('created', 'processing', 'unknown') and updated_at <= ${before}
      and ${isOf(payers, sql`payment.account_id`)}
      and (${page.after}::uuid is null or id > ${page.after})
    order by id limit ${page.limit}`

/** Records a payment's page. */
export const updatePage = (db: Db, id: string, page: { id: string; url: string }, at: Date) =>
  query.execute(db)`
    update payment set page_id = ${page.id}, page_url = ${page.url}, updated_at = ${at}
    where id = ${id}`

/** Records a payment's outcome. A provider id, once known, stays. */
export const updatePayment = (
  tx: Db,
  id: string,
  to: Pick<Payment, 'state' | 'reason' | 'due_id' | 'is_surplus' | 'amount_minor'> & {
    provider_id: string | null
    at: Date
  },
) =>
  query.execute(tx)`
    update payment set state = ${to.state}, reason = ${to.reason},
      provider_id = coalesce(${to.provider_id}, provider_id), due_id = ${to.due_id},
      is_surplus = ${to.is_surplus}, amount_minor = ${to.amount_minor}, updated_at = ${to.at}
    where id = ${id}`
