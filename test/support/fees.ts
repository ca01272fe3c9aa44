import type { Pool } from '../../src/platform/database/sql.ts'
import { insertBareBooking } from './bare-booking.ts'

export type Fee = {
  accountId: string
  minor: number
  currency?: string
  isDemo?: boolean
  at?: string
  /** Reverses the fee on the next day. */
  isReversed?: boolean
}

/** Accrues a fee for a new booking; returns the fee entry and the booking. */
export async function accrueFee(db: Pool, { accountId, minor, currency = 'IDR', ...fee }: Fee) {
  const bookingId = await insertBareBooking(db, accountId)
  const { isDemo = false, at = '2026-10-05T10:00:00Z', isReversed = false } = fee
  const added = await db.query<{ id: string }>(
    `insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
       currency, is_demo, created_at)
     values (gen_random_uuid(), $1, $2, 'accrual', $3::bigint * 40, 2.5, $3, $4, $5, $6)
     returning id`,
    [accountId, bookingId, minor, currency, isDemo, at],
  )
  const feeId = added.rows[0]?.id ?? ''
  if (isReversed) await reverseFeeEntry(db, feeId)
  return { feeId, bookingId }
}

/** Reverses a fee entry at this time, by default a day after it accrued. */
export const reverseFeeEntry = (db: Pool, feeId: string, at: string | null = null) =>
  db.query(
    `with reversal as (
       insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
         currency, is_demo, reverses, created_at)
       select gen_random_uuid(), account_id, booking_id, 'reversal', base_minor, pct, amount_minor,
         currency, is_demo, id, coalesce($2::timestamptz, created_at + interval '1 day')
       from fee_entry where id = $1
       returning id)
     update fee_entry f set reversed_by = r.id from reversal r where f.id = $1`,
    [feeId, at],
  )
