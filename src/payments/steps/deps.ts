import type { Pool } from '../../platform/database/sql.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { createLocalProvider } from '../providers/local.ts'
import type { PaymentProvider } from '../rules/provider.ts'
import type { Payment } from '../store/payments.ts'

/** What every payment step depends on. */
export type PaymentDeps = {
  db: Pool
  provider: PaymentProvider
  publicUrl: string
  log: Log
}

/** Payments in sandboxes, which always use test cards, so that no money moves. */
export const sandboxPayments = ({ db, publicUrl, log }: Omit<PaymentDeps, 'provider'>) => ({
  db,
  publicUrl,
  log,
  provider: createLocalProvider(db, publicUrl, { isOfSandbox: true }),
})

/** A payment's fields in a log line. */
export const logged = ({ id, account_id, due_id, amount_minor, currency }: Payment) => ({
  payment_id: id,
  account_id,
  ...(due_id && { due_id }),
  amount_minor,
  currency,
})
