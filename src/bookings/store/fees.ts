import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { type Db, execute, queryOptionalRow } from '../../platform/database/sql.ts'
import type { Fee } from '../rules/fees.ts'

const feeRow = z.object({
  base_minor: z.int(),
  amount_minor: z.int(),
  currency: z.string(),
  pct: z.number(),
})

/** Accrues the one fee of a booking; `fee_entry_one_accrual` refuses a second. */
export async function insertFeeAccrual(
  tx: Db,
  booking: { id: string; accountId: string; isDemo: boolean },
  fee: Fee,
  at: Date,
): Promise<void> {
  await execute(tx)`
    insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
      currency, is_demo, created_at)
    values (${randomUUIDv7()}, ${booking.accountId}, ${booking.id}, 'accrual', ${fee.base_minor},
      ${fee.pct}, ${fee.amount_minor}, ${fee.currency}, ${booking.isDemo}, ${at})`
}

/**
 * Reverses the fee of a booking, if it has one: the accrual stays, with the reversal that refers to
 * it.
 */
export async function reverseFee(tx: Db, bookingId: string, at: Date): Promise<Fee | undefined> {
  return queryOptionalRow(tx, feeRow)`
    with reversal as (
      insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
        currency, is_demo, reverses, created_at)
      select ${randomUUIDv7()}, account_id, booking_id, 'reversal', base_minor, pct, amount_minor,
        currency,
        is_demo, id, ${at}
      from fee_entry where booking_id = ${bookingId} and kind = 'accrual' and reversed_by is null
      returning id, reverses, base_minor, amount_minor, currency, pct
    ), reversed as (
      update fee_entry f set reversed_by = r.id from reversal r where f.id = r.reverses
    )
    select base_minor, amount_minor, currency, pct from reversal`
}
