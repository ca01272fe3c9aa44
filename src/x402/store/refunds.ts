import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import type { PaymentPayload } from '../rules/facilitator.ts'

const dueRow = z.object({
  id: z.uuid(),
  booking_id: z.uuid(),
  network: z.string(),
  payer: z.string(),
  amount: z.coerce.bigint(),
  refund_reason: z.string().nullable(),
  transaction: z.string(),
  updated_at: isoTime,
})

/** Payments with a refund due, ordered by id. */
export const selectRefundsDue = (db: Db, { after, limit }: PageOfIds) =>
  query.rows(db, dueRow)`
    select id, booking_id, network, payer, refund_reason, transaction, updated_at,
      amount::text as amount
    from x402_payment where state = 'refund_due'
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`

/** Stores the proof that the money went back. */
export const updateRefunded = (db: Db, id: string, transaction: string, at: Date) =>
  query.execute(db)`
    update x402_payment set refund_transaction = ${transaction}, updated_at = ${at},
      state = 'refunded'
    where id = ${id} and state = 'refund_due'`

const failedRow = z.object({ id: z.uuid(), payload: z.custom<PaymentPayload>() })

/** Authorisations that were sent, failed and have since lapsed. */
export const selectFailedToCheck = (db: Db, at: Date, { after, limit }: PageOfIds) =>
  query.rows(db, failedRow)`
    select id, payload from x402_payment
    where state = 'failed' and checked_at is null and attempts > 0
      and valid_before < ${at}::timestamptz - interval '2 minutes'
      and (${after}::uuid is null or id > ${after})
    order by id limit ${limit}`

/** Stores the final check of a failed authorisation: `transaction` if it was used after all. */
export const updateChecked = (db: Db, id: string, transaction: string | null, at: Date) =>
  query.execute(db)`
    update x402_payment set checked_at = ${at}, transaction = ${transaction},
      state = case when ${transaction}::text is null then state else 'refund_due' end,
      refund_reason = case when ${transaction}::text is null then null
        else 'used_after_failure' end
    where id = ${id} and state = 'failed' and checked_at is null`
