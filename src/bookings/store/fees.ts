import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { minorDigits } from '../../base/money.ts'
import { withTexts } from '../../contract/local-times.ts'
import { type Db, query } from '../../platform/database/sql.ts'
import type { LockedBooking } from './bookings.ts'

const feeRow = z.object({
  base_minor: z.int(),
  amount_minor: z.int(),
  currency: z.string(),
  pct: z.number(),
})
/** The network's fee for a booking: base and amount in integer minor units of `currency`. */
export type Fee = z.infer<typeof feeRow>

/**
 * The fee of a booking: `pct` per cent of its base, rounded once, half up. `pct` has at most two
 * decimals, so integer arithmetic is exact.
 */
export function feeFor(base_minor: number, pct: number, currency: string): Fee {
  const scaled = BigInt(base_minor) * BigInt(Math.round(pct * 100))
  // Cards pay dinars and Omani rials, of three decimals, in tens of the smallest unit.
  const unit = minorDigits(currency) === 3 ? 10n : 1n
  const units = (scaled + 5_000n * unit) / (10_000n * unit)
  return { base_minor, amount_minor: Number(units * unit), currency, pct }
}

/** A fee as shown in events. */
export const publicFee = (
  fee: Fee,
  { charged_to, is_demo }: Pick<LockedBooking, 'charged_to' | 'is_demo'>,
) => ({
  ...withTexts(fee),
  charged_to,
  is_demo,
})

/** Accrues the single fee of a booking; `fee_entry_one_accrual` rejects a second. */
export const insertFeeAccrual = (
  tx: Db,
  booking: Pick<LockedBooking, 'id' | 'account_id' | 'is_demo'>,
  fee: Fee,
  at: Date,
) =>
  query.execute(tx)`
    insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
      currency, is_demo, created_at)
    values (${randomUUIDv7()}, ${booking.account_id}, ${booking.id}, 'accrual', ${fee.base_minor},
      ${fee.pct}, ${fee.amount_minor}, ${fee.currency}, ${booking.is_demo}, ${at})`

/** The base of a confirmed booking's fee. */
export async function selectStandingBase(tx: Db, bookingId: string): Promise<number> {
  const fee = await query.row(tx, feeRow.pick({ base_minor: true }))`
    select base_minor from fee_entry
    where booking_id = ${bookingId} and kind = 'accrual' and reversed_by is null`
  return fee.base_minor
}

/** Reverses a booking's fee, if any, with another entry; the accrual remains. */
export const reverseFee = (tx: Db, bookingId: string, at: Date) =>
  query.optionalRow(tx, feeRow)`
    with reversal as (
      insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
        currency, is_demo, reverses, created_at)
      select ${randomUUIDv7()}, account_id, booking_id, 'reversal', base_minor, pct, amount_minor,
        currency, is_demo, id, ${at}
      from fee_entry where booking_id = ${bookingId} and kind = 'accrual' and reversed_by is null
      returning id, reverses, base_minor, amount_minor, currency, pct
    ), reversed as (
      update fee_entry f set reversed_by = r.id from reversal r where f.id = r.reverses
    )
    select base_minor, amount_minor, currency, pct from reversal`
