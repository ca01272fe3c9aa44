import sql from 'sql-template-tag'
import { z } from 'zod'
import { isoTime } from '../../platform/database/columns.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { PaymentPayload } from '../rules/facilitator.ts'
import { paymentStates, type SettlementOutcome } from '../rules/settlement.ts'

const bigint = z.coerce.bigint()
/** Minutes from the end of an undecided authorisation until its slot is released. */
const UNDECIDED_MINUTES = 10

const paymentRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  booking_id: z.uuid(),
  network: z.string(),
  payer: z.string(),
  payload: z.custom<PaymentPayload>(),
  payload_hash: z.instanceof(Buffer),
  amount: bigint,
  price_minor: z.int(),
  currency: z.string(),
  valid_before: z.date(),
  state: z.enum(paymentStates),
  attempts: z.int(),
  transaction: z.string().nullable(),
  error: z.string().nullable(),
  refund_reason: z.string().nullable(),
  refund_transaction: z.string().nullable(),
  created_at: isoTime,
})
export type StoredPayment = z.output<typeof paymentRow>

const columns = sql`id, account_id, booking_id, network, payer, payload, payload_hash,
  amount::text as amount, price_minor, currency, valid_before, state, attempts,
  transaction, error, refund_reason, refund_transaction, created_at`

export type NewX402Payment = {
  id: string
  accountId: string
  bookingId: string
  payment: PaymentPayload
  payer: string
  payloadHash: Buffer
  requirementsHash: Buffer
  priceMinor: number
  currency: string
  rate: string
  at: Date
}

/** Stores a verified payment; false if its authorisation already pays for something. */
export async function insertPayment(tx: Db, one: NewX402Payment): Promise<boolean> {
  const { accepted, payload } = one.payment
  const { nonce, validBefore } = payload.authorization
  const count = await query.execute(tx)`
    insert into x402_payment (id, account_id, booking_id, network, payer, nonce, payload,
      payload_hash, requirements, requirements_hash, asset, amount, price_minor, currency, rate,
      valid_before, state, created_at, updated_at)
    values (${one.id}, ${one.accountId}, ${one.bookingId}, ${accepted.network}, ${one.payer},
      ${nonce}, ${JSON.stringify(one.payment)}, ${one.payloadHash}, ${JSON.stringify(accepted)},
      ${one.requirementsHash}, ${accepted.asset}, ${accepted.amount}::bigint, ${one.priceMinor},
      ${one.currency}, ${one.rate}::numeric, ${new Date(Number(validBefore) * 1000)}, 'verified',
      ${one.at}, ${one.at})
    on conflict do nothing`
  return count === 1
}

/** The payment with this authorisation. */
export const selectOptionalPayment = (
  db: Db,
  { network, payer, nonce }: { network: string; payer: string; nonce: string },
) =>
  query.optionalRow(db, paymentRow)`
    select ${columns} from x402_payment
    where network = ${network} and payer = ${payer} and nonce = ${nonce}`

/** A booking's payment. */
export const selectOptionalPaymentOf = (db: Db, bookingId: string) =>
  query.optionalRow(db, paymentRow)`
    select ${columns} from x402_payment where booking_id = ${bookingId}`

/**
 * Marks a payment as about to be settled: the point of no return. Undefined if its outcome is
 * known, the booking no longer holds its slot, or the slot has begun.
 */
export const beginSettling = (db: Db, bookingId: string, at: Date) =>
  query.optionalRow(db, paymentRow)`
    update x402_payment p set state = 'settling', attempts = p.attempts + 1, updated_at = ${at}
    where p.booking_id = ${bookingId} and p.state in ('verified', 'settling', 'unknown')
      and exists (select from booking b
        where b.id = p.booking_id and b.status = 'held' and b.starts_at > ${at})
    returning ${columns}`

/** Stores the outcome of a settlement attempt. */
export const updateOutcome = (db: Db, id: string, outcome: SettlementOutcome, at: Date) =>
  query.execute(db)`
    update x402_payment set state = ${outcome.state}, updated_at = ${at},
      transaction = ${'transaction' in outcome ? outcome.transaction : null},
      error = ${'error' in outcome ? outcome.error : null}
    where id = ${id} and state = 'settling'`

const progressRow = paymentRow.pick({ state: true, error: true }).extend({ pay_by: z.date() })

/** The state of a held booking's payment, and the latest time for settling it. */
export const selectProgress = (db: Db, bookingId: string) =>
  query.row(db, progressRow)`
    select p.state, p.error,
      least(b.starts_at, p.valid_before + ${UNDECIDED_MINUTES} * interval '1 minute') as pay_by
    from x402_payment p join booking b on b.id = p.booking_id
    where p.booking_id = ${bookingId}`
