import sql from 'sql-template-tag'
import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { isOf, type Payers } from './payers.ts'

const refundRow = z.object({
  id: z.uuid(),
  payment_id: z.uuid(),
  amount_minor: z.int(),
  state: z.enum(['processing', 'succeeded', 'failed', 'unknown']),
  provider_id: z.string().nullable(),
  note: z.string(),
  reason: z.string().nullable(),
  idempotency_key: z.string(),
  created_at: z.date(),
  updated_at: z.date(),
})
export type Refund = z.infer<typeof refundRow>

const columns = sql`id, payment_id, amount_minor, state, provider_id, note, reason,
  idempotency_key, created_at, updated_at`

/** Reserves part of a payment for a refund; false if less than that is left. */
export const reserveRefund = async (tx: Db, paymentId: string, amountMinor: number) =>
  (await query.execute(tx)`
    update payment set refunded_minor = refunded_minor + ${amountMinor}
    where id = ${paymentId} and state = 'succeeded'
      and refunded_minor + ${amountMinor} <= amount_minor`) === 1

/** Releases the amount reserved for a failed refund. */
export const releaseRefund = (tx: Db, paymentId: string, amountMinor: number) =>
  query.execute(tx)`
    update payment set refunded_minor = refunded_minor - ${amountMinor} where id = ${paymentId}`

/** Begins a refund. */
export const insertRefund = (
  tx: Db,
  refund: Pick<Refund, 'id' | 'payment_id' | 'amount_minor' | 'note'> & { at: Date },
) =>
  query.execute(tx)`
    insert into refund (id, payment_id, amount_minor, state, note, idempotency_key, created_at,
      updated_at)
    values (${refund.id}, ${refund.payment_id}, ${refund.amount_minor}, 'processing',
      ${refund.note}, ${`refund:${refund.id}`}, ${refund.at}, ${refund.at})`

export const selectRefund = (db: Db, id: string) =>
  query.optionalRow(db, refundRow)`select ${columns} from refund where id = ${id}`

/** Locks a refund until the transaction ends. */
export const lockRefund = (tx: Db, id: string) =>
  query.optionalRow(tx, refundRow)`select ${columns} from refund where id = ${id} for update`

/** A payment's refunds, newest first. */
export const selectRefunds = (db: Db, paymentId: string) =>
  query.rows(db, refundRow)`
    select ${columns} from refund where payment_id = ${paymentId}
    order by created_at desc, id desc`

/** Refunds without news since `before`, ordered by id. */
export const selectUndecidedRefunds = (db: Db, before: Date, payers: Payers, page: PageOfIds) =>
  query.rows(db, refundRow)`
    select ${columns} from refund
    where state in ('processing', 'unknown') and updated_at <= ${before}
      and ${isOf(payers, sql`(select account_id from payment p where p.id = refund.payment_id)`)}
      and (${page.after}::uuid is null or id > ${page.after})
    order by id limit ${page.limit}`

/** Records a refund's outcome. */
export const updateRefund = (
  tx: Db,
  id: string,
  to: Pick<Refund, 'state' | 'reason'> & { provider_id: string | null; at: Date },
) =>
  query.execute(tx)`
    update refund set state = ${to.state}, reason = ${to.reason},
      provider_id = coalesce(${to.provider_id}, provider_id), updated_at = ${to.at}
    where id = ${id}`
