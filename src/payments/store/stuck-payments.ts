import { z } from 'zod'
import { type Db, query } from '../../platform/database/sql.ts'
import { paymentStates } from '../rules/payments.ts'

const stuckRow = z.object({
  id: z.uuid(),
  problem: z.enum(['undecided', 'refund_undecided', 'refund_failed']),
  since: z.date(),
  account_id: z.uuid(),
  account_name: z.string(),
  amount_minor: z.int(),
  currency: z.string(),
  state: z.enum(paymentStates),
})
export type StuckPayment = z.infer<typeof stuckRow>

const MAX_SHOWN = 100

/** Payments and refunds undecided since `before`, and failed refunds. */
export const selectStuckPayments = (db: Db, before: Date, failedSince: Date) =>
  query.rows(db, stuckRow)`
    select p.id, s.problem, s.since, p.account_id, a.name as account_name, p.amount_minor,
      p.currency, p.state
    from (
      select id as payment_id, 'undecided' as problem, updated_at as since from payment
      where state in ('processing', 'unknown') and created_at < ${before}
      union all
      select payment_id, case state when 'failed' then 'refund_failed' else 'refund_undecided' end,
        updated_at
      from refund where (state in ('processing', 'unknown') and created_at < ${before})
        or (state = 'failed' and updated_at > ${failedSince})
    ) as s
    join payment p on p.id = s.payment_id join account a on a.id = p.account_id and a.mode = 'live'
    order by s.since limit ${MAX_SHOWN}`
