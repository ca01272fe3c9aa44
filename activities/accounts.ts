import { invoiceAndPruneAccounts } from '../src/accounts/steps/invoice-and-prune.ts'
import type { Pool } from '../src/platform/database/sql.ts'

export type AccountActivities = ReturnType<typeof createAccountActivities>
export type AccountActivityDeps = { db: Pool; proMonthlyUsd: number }

/** The upkeep of accounts. */
export const createAccountActivities = ({ db, proMonthlyUsd }: AccountActivityDeps) => ({
  invoiceAndPruneAccounts: (at: number) =>
    invoiceAndPruneAccounts(db, proMonthlyUsd * 100, new Date(at)),
})
