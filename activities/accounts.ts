import { invoiceAndPruneAccounts } from '../src/accounts/steps/invoice-and-prune.ts'
import {
  type EndpointMailDeps,
  mailEndpointOwners,
} from '../src/accounts/steps/mail-endpoint-owners.ts'
import type { PassDeps } from '../src/platform/database/continue-pass.ts'

export type AccountActivities = ReturnType<typeof createAccountActivities>
export type AccountMailActivities = ReturnType<typeof createAccountMailActivities>
export type AccountActivityDeps = PassDeps & { proMonthlyUsd: number }

/** The upkeep of accounts. */
export const createAccountActivities = (deps: AccountActivityDeps) => ({
  invoiceAndPruneAccounts: (at: number) =>
    invoiceAndPruneAccounts(deps, deps.proMonthlyUsd * 100, new Date(at)),
})

/** Emails to developers that nobody requested, sent by the `venues` queue's worker. */
export const createAccountMailActivities = (deps: EndpointMailDeps) => ({
  mailEndpointOwners: (at: number) => mailEndpointOwners(deps, new Date(at)),
})
