import type { DepositPayments } from '../bookings/hooks.ts'
import { ledgerDeposits } from '../ledger/steps/deposit-entries.ts'
import type { Db } from '../platform/database/sql.ts'
import { paysDeposit } from './store/payments.ts'
import { updateDepositDue } from './store/refunds.ts'

/** A deposit that came with the payment of its booking is paid from it; others with the month. */
const sourceOf = async (tx: Db, bookingId: string) =>
  (await paysDeposit(tx, bookingId)) ? 'credit' : 'unbilled'

/** Deposits in the ledger. One that came with a payment goes back to the wallet that paid. */
export const paidDeposits: DepositPayments = {
  async take(tx, deposit, at) {
    await ledgerDeposits.take(tx, deposit, at, await sourceOf(tx, deposit.booking_id))
  },
  keep: ledgerDeposits.keep,
  async giveBack(tx, deposit, wasKept, at) {
    const source = await sourceOf(tx, deposit.booking_id)
    await ledgerDeposits.giveBack(tx, deposit, wasKept, at, source)
    if (source === 'credit') await updateDepositDue(tx, deposit.booking_id, at)
  },
}
