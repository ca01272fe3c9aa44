import type { PlanContext } from '../../accounts/hooks.ts'
import { selectOptionalAccount } from '../../accounts/store/accounts.ts'
import { refuse } from '../../base/errors.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import type { Limits } from '../../bookings/rules/limits.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { type Act, accountOfAct } from '../steps/act.ts'
import { changeLimitsOf, changeQuotaOf } from '../steps/change-limits.ts'
import { changePlanOf } from '../steps/change-plan.ts'
import { resumeAccount, suspendAccount } from '../steps/suspend-account.ts'
import { takeDownAgent } from '../steps/take-down-agent.ts'

type Deps = Pick<PlanContext, 'db' | 'settings'> & Pick<BookingServices, 'dryRunDeps'>

/** An operator's action, with a reason. */
export type Reasoned = Act & { reason: string }

/** Changes an account and records the action in one transaction. Throws `page_not_found`. */
const onAccount = <T>({ db }: Pick<Deps, 'db'>, act: Act, work: (tx: Db) => Promise<T>) =>
  transaction(db, async (tx) => {
    if (!(await selectOptionalAccount(tx, accountOfAct(act)))) {
      throw refuse('page_not_found', 'There is no such account.')
    }
    return work(tx)
  })

/** Moves an account to a tier. */
export const setPlan = (deps: Deps, act: Reasoned, to: 'free' | 'pro') =>
  onAccount(deps, act, (tx) =>
    changePlanOf(tx, act, { to, proMonthlyMinor: deps.settings.proMonthlyUsd * 100 }),
  )

/** Sets the booking limits of an account. */
export const setLimits = (deps: Deps, act: Reasoned, to: Limits | 'usual') =>
  onAccount(deps, act, (tx) => changeLimitsOf(tx, act, to, deps.dryRunDeps.terms.limits))

/** Sets an account's daily limit of requests; null restores its tier's limit. */
export const setQuota = (deps: Deps, act: Reasoned, to: number | null) =>
  onAccount(deps, act, (tx) => changeQuotaOf(tx, act, to))

/** Suspends an account. */
export const suspend = (deps: Deps, act: Reasoned) =>
  onAccount(deps, act, (tx) => suspendAccount(tx, act))

/** Ends an account's suspension. */
export const resume = (deps: Deps, act: Reasoned) =>
  onAccount(deps, act, (tx) => resumeAccount(tx, act))

/** Takes down one of the account's agents, or lets the account publish it again. */
export const takeDown = (deps: Deps, act: Reasoned, name: string, isRestored: boolean) =>
  onAccount(deps, act, async (tx) => {
    const byOwner = (id: string) => {
      if (id !== accountOfAct(act)) throw refuse('page_not_found', 'It belongs to another account.')
      return act.by
    }
    const taking = { name, reason: act.reason, isRestored }
    if (await takeDownAgent(tx, taking, byOwner, act.by.at)) return
    throw refuse('page_not_found', 'There is no such agent.')
  })
