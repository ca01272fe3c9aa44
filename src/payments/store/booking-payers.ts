import { z } from 'zod'
import { boolean } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PageOfIds } from '../../platform/process/work-through.ts'
import { paymentStates } from '../rules/payments.ts'

const payerRow = z.object({
  has_plan: boolean,
  has_card: boolean,
  brand: z.string().nullable(),
  last4: z.string().nullable(),
})

/** What can pay for an account's bookings. A debt that ended pro comes before any card. */
export const selectBookingPayer = (db: Db, accountId: string) =>
  query.row(db, payerRow)`
    select a.tier = 'pro' or a.mode = 'test' as has_plan, c.card_brand as brand,
      c.card_last4 as last4,
      c.method_id is not null and not exists (select from dunning d where d.account_id = a.id
        and d.pro_ended_at is not null and d.paid_at is null) as has_card
    from account a left join lateral (
      select method_id, card_brand, card_last4 from payment_customer
      where account_id = a.id and method_id is not null order by updated_at desc limit 1
    ) c on true
    where a.id = ${accountId}`

/** Minutes after a request until the slot is released whose fee is still not authorised. */
const UNDECIDED_MINUTES = 10

const progressRow = z.object({
  /** false at demo venues and for a fee of 0 */
  is_due: boolean,
  state: z.enum(paymentStates).nullable(),
  reason: z.string().nullable(),
  pay_by: z.date(),
})

/** Leaves a fee of 0 to the invoice: a card cannot be charged nothing. */
export const updateFeeOfNothing = (db: Db, bookingId: string) =>
  query.execute(db)`
    update request set paid_by = 'pro' where booking_id = ${bookingId} and paid_by = 'card'`

/** The progress of a card's payment for a booking; none if x402 pays. */
export const selectFeeProgress = (db: Db, bookingId: string) =>
  query.rows(db, progressRow)`
    select r.paid_by = 'card' and not v.is_demo as is_due, p.state, p.reason,
      least(b.starts_at, r.created_at + ${UNDECIDED_MINUTES} * interval '1 minute') as pay_by
    from request r join venue v on v.id = r.venue_id join booking b on b.id = r.booking_id
      left join lateral (select state, reason from payment where booking_id = r.booking_id
        order by id desc limit 1) p on true
    where r.booking_id = ${bookingId} and r.paid_by in ('card', 'pro')
      and not exists (select from x402_payment x where x.booking_id = r.booking_id)`

/** Whether a booking's fee stands, so that its card's payment is kept; waits for its changes. */
export const isFeeDue = (tx: Db, bookingId: string | null) =>
  query.affectsRow(tx)`
    select from booking where id = ${bookingId} and fee_status = 'accrued' for share`

/** Lowers what is to be captured for a booking to its fee. */
export const lowerToFee = (db: Db, paymentId: string) =>
  query.execute(db)`
    update payment p set amount_minor = f.amount_minor from fee_entry f
    where p.id = ${paymentId} and p.state = 'authorized' and f.booking_id = p.booking_id
      and f.kind = 'accrual' and f.reversed_by is null
      and f.amount_minor between 1 and p.amount_minor`

const authorizedRow = z.object({ id: z.uuid(), how: z.enum(['capture', 'release']) })

/** Authorised fees of bookings that are decided: with a fee they are captured. */
export const selectAuthorized = (db: Db, provider: string, { after, limit }: PageOfIds) =>
  query.rows(db, authorizedRow)`
    select p.id, case b.fee_status when 'accrued' then 'capture' else 'release' end as how
    from payment p join booking b on b.id = p.booking_id
    where p.state = 'authorized' and p.provider = ${provider}
      and (b.fee_status = 'accrued'
        or b.status not in ('held', 'pending', 'offered', 'confirmed'))
      and (${after}::uuid is null or p.id > ${after})
    order by p.id limit ${limit}`
