import { randomUUIDv7 } from 'node:crypto'
import type { Fee } from '../model/fees.ts'
import { type Db, execute } from './sql.ts'

/** Records the one fee of a booking; `fee_entry_one_accrual` refuses a second. */
export async function insertFeeAccrual(
  tx: Db,
  booking: { id: string; accountId: string; isDemo: boolean },
  fee: Fee,
  at: Date,
): Promise<void> {
  await execute(
    tx,
    `insert into fee_entry (id, account_id, booking_id, kind, base_minor, pct, amount_minor,
       currency, is_demo, created_at)
     values ($1, $2, $3, 'accrual', $4, $5, $6, $7, $8, $9)`,
    [
      randomUUIDv7(),
      booking.accountId,
      booking.id,
      fee.base_minor,
      fee.pct,
      fee.amount_minor,
      fee.currency,
      booking.isDemo,
      at,
    ],
  )
}
