import { movePlan } from '../../accounts/store/plans.ts'
import { DAY_MS } from '../../base/durations.ts'
import { byNetwork, recordAudit } from '../../contract/audit.ts'
import { eraseThrough, runPass } from '../../platform/database/continue-pass.ts'
import { oldProviderEvents } from '../../platform/database/provider-events.ts'
import { transaction } from '../../platform/database/sql.ts'
import { eachStep, type Pass } from '../../platform/process/work-through.ts'
import { MAX_AGE_DAYS, MAX_CHARGES } from '../rules/dunning.ts'
import { ASK_AFTER_MS } from '../rules/payments.ts'
import { selectCustomer } from '../store/customers.ts'
import { type Due, selectToCharge } from '../store/dues.ts'
import { type Dunning, lockDunning, selectGraceOver, updateGraceOver } from '../store/dunning.ts'
import { isClosedPayer, type Payers } from '../store/payers.ts'
import { lockPayer, selectUndecided } from '../store/payments.ts'
import { selectUndecidedRefunds } from '../store/refunds.ts'
import { askNow } from './ask.ts'
import type { PaymentDeps } from './deps.ts'
import { carryOverDunnings } from './end-dunning.ts'
import { noteFailure } from './note-failure.ts'
import { charge, endPage, paymentRequestOf } from './pay.ts'
import { askAboutRefund } from './refund.ts'

/** Days for which providers' events are kept; Stripe repeats an event for three days. */
const EVENT_DAYS = 60

export type Collected = { asked: Pass; refunds: Pass; charged: Pass; ended: Pass }

type LiveDeps = PaymentDeps & { proMonthlyMinor: number }

/** A pass over the money that live accounts owe at `at`. */
export async function collectPayments(deps: LiveDeps, at: Date): Promise<Collected> {
  const since = new Date(at.getTime() - MAX_AGE_DAYS * DAY_MS)
  const eventsBefore = new Date(at.getTime() - EVENT_DAYS * DAY_MS)
  const payers: Payers = { mode: 'live', accountId: null }
  const end = (dunning: Dunning) => endPro(deps, dunning, at)
  const { collected } = await eachStep({
    carried: () => carryOverDunnings(deps, at),
    collected: () => collect(deps, { at, since, payers, end }),
    erased: () => eraseThrough(deps, 'provider-events', oldProviderEvents(eventsBefore)),
  })
  return collected
}

/**
 * A pass over the debts of sandboxes: of all sandboxes in real time, or of one on its test clock.
 * Sandboxes never lose pro.
 */
export const collectInSandbox = (
  deps: PaymentDeps,
  at: Date,
  accountId: string | null = null,
): Promise<Collected> =>
  collect(deps, {
    at,
    since: new Date(0),
    payers: { mode: 'test', accountId },
    end: ({ due_id }) => updateGraceOver(deps.db, due_id, null),
  })

type Collecting = {
  at: Date
  /** older dues are left for the customer to pay */
  since: Date
  payers: Payers
  /** ends a dunning whose grace period is over */
  end(dunning: Dunning): Promise<unknown>
}

/**
 * Queries undecided payments and refunds, charges amounts due, and ends dunnings that ran out of
 * time. A failing step does not stop the others.
 */
function collect(deps: PaymentDeps, { at, since, payers, end }: Collecting): Promise<Collected> {
  const { db } = deps
  const before = new Date(at.getTime() - ASK_AFTER_MS)
  const due = { at, since, failures: MAX_CHARGES, payers }
  const whose = [payers.mode, payers.accountId].filter(Boolean).join(' ')
  return eachStep({
    asked: () =>
      runPass(deps, `payments ${whose}`, {
        select: (page) => selectUndecided(db, before, payers, page),
        idOf: ({ id }) => id,
        help: async (payment) => {
          const { page_id: pageId, provider } = payment
          const isEnding = pageId && provider === deps.provider.name
          if (isEnding && (await isClosedPayer(db, payment.account_id))) {
            await deps.provider.closePage(pageId)
          }
          await askNow(deps, payment, at)
        },
      }),
    refunds: () =>
      runPass(deps, `refunds ${whose}`, {
        select: (page) => selectUndecidedRefunds(db, before, payers, page),
        idOf: ({ id }) => id,
        help: ({ id }) => askAboutRefund(deps, id, at),
      }),
    charged: () =>
      runPass(deps, `charges ${whose}`, {
        select: (page) => selectToCharge(db, due, page),
        idOf: ({ id }) => id,
        help: (one) => chargeDue(deps, one, at),
      }),
    ended: () =>
      runPass(deps, `dunnings ${whose}`, {
        select: (page) => selectGraceOver(db, due, page),
        idOf: ({ due_id }) => due_id,
        help: end,
      }),
  })
}

/** Charges a due to the card on file. A missing card counts as a failure. */
export async function chargeDue(deps: PaymentDeps, due: Due, at: Date): Promise<boolean> {
  const { db, provider, log } = deps
  const { id: dueId, account_id, purpose } = due
  const request = paymentRequestOf({ id: account_id, name: '' }, due)
  if (await endPage(deps, request, at)) return false
  const customer = await selectCustomer(db, account_id, provider.name)
  if (!customer?.method_id) {
    const of = { due_id: dueId, account_id, purpose }
    await transaction(db, (tx) => noteFailure(tx, of, 'no_way_to_pay', at))
    log.info({ account_id, due_id: dueId }, 'no card to charge')
    return true
  }
  return (await charge(deps, request, customer, 'network', at)) !== undefined
}

/** Ends pro after the grace period, leaving the invoice open. Does nothing if it has been paid. */
async function endPro(
  { db, log, proMonthlyMinor }: LiveDeps,
  { due_id, account_id: accountId }: Dunning,
  at: Date,
): Promise<void> {
  await transaction(db, async (tx) => {
    await lockPayer(tx, accountId)
    if (!(await lockDunning(tx, due_id))?.next_at) return
    const move = { accountId, to: 'free', by: 'system', proMonthlyMinor, at } as const
    const isEnd = (await movePlan(tx, move)) === 'pro'
    await updateGraceOver(tx, due_id, isEnd ? at : null)
    const details = { from: 'pro', to: 'free', due_id }
    if (isEnd) await recordAudit(tx, byNetwork(accountId, at), 'plan.changed', { details })
    log.info({ account_id: accountId, due_id, ended: isEnd }, 'the time to pay is over')
  })
}
