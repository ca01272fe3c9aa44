import { randomUUIDv7 } from 'node:crypto'
import { refuse } from '../../base/errors.ts'
import { transaction } from '../../platform/database/sql.ts'
import { loggable } from '../../platform/telemetry/log.ts'
import { description } from '../rules/descriptions.ts'
import { type Customer, insertCustomer, selectCustomer } from '../store/customers.ts'
import type { Due } from '../store/dues.ts'
import {
  insertPayment,
  lockPayer,
  type Payment,
  selectInFlight,
  selectPayment,
  updatePage,
} from '../store/payments.ts'
import { applyCharge } from './apply-charge.ts'
import { ask } from './ask.ts'
import { logged, type PaymentDeps } from './deps.ts'

/** What an account has to pay. */
export const wantedOf = (account: WantedPayment['account'], due: Due): WantedPayment => ({
  account,
  purpose: due.purpose,
  dueId: due.id,
  amountMinor: due.amount_minor,
  currency: due.currency,
  description: description(due),
})

/** What is to be paid, and by whom. */
export type WantedPayment = {
  account: { id: string; name: string }
  purpose: Payment['purpose']
  /** null for a month of pro that is charged with its payment */
  dueId: string | null
  amountMinor: number
  currency: string
  /** what the customer reads at the provider */
  description: string
}

/**
 * Pays with the card on file, or opens a page where the customer can pay with another one. The same
 * is paid by one attempt at a time: one that is in flight is asked about, and returned. Undefined
 * if it has just been paid by another request.
 */
export async function pay(
  deps: PaymentDeps,
  wanted: WantedPayment,
  at: Date,
): Promise<Payment | undefined> {
  const current = await currentOf(deps, wanted, at)
  if (current) return current
  const customer = await customerOf(deps, wanted.account, at)
  if (customer.method_id) {
    const charged = await charge(deps, wanted, customer, 'customer', at)
    if (charged && charged.state !== 'failed') return charged
  }
  return openPage(deps, wanted, customer, at)
}

/** Charges the card on file, without a page. Undefined: another attempt is in flight, or paid. */
export async function charge(
  deps: PaymentDeps,
  wanted: WantedPayment,
  customer: Customer,
  madeBy: Payment['made_by'],
  at: Date,
): Promise<Payment | undefined> {
  const methodId = customer.method_id
  if (!methodId) throw new Error(`account ${customer.account_id} has no way to pay`)
  // Recorded before it is sent: a crash leaves a payment to ask about.
  const payment = await begin(deps, wanted, { state: 'processing', made_by: madeBy }, at)
  if (!payment) return undefined
  const { amountMinor, currency, description: text } = wanted
  deps.log.info({ ...logged(payment), made_by: madeBy }, 'charging the card on file')
  const request = {
    paymentId: payment.id,
    customerId: customer.customer_id,
    methodId,
    description: text,
    at,
    amountMinor,
    currency,
    idempotencyKey: payment.idempotency_key,
  }
  try {
    return await applyCharge(deps, payment.id, await deps.provider.charge(request), at)
  } catch (error) {
    const line = { ...logged(payment), error: loggable(error) }
    deps.log.error(line, 'a charge failed on our side: the provider is asked about it later')
    return payment
  }
}

async function currentOf(deps: PaymentDeps, wanted: WantedPayment, at: Date) {
  const found = await selectInFlight(deps.db, keyOf(wanted))
  if (!found) return undefined
  const asked = await ask(deps, found, at)
  if (asked.state === 'failed') return undefined
  // A crash left it without a page.
  if (asked.state !== 'created' || asked.page_url) return asked
  return showPage(deps, wanted, await customerOf(deps, wanted.account, at), asked, at)
}

async function openPage(deps: PaymentDeps, wanted: WantedPayment, customer: Customer, at: Date) {
  const made = { state: 'created', made_by: 'customer' } as const
  const begun = await begin(deps, wanted, made, at)
  return begun ? showPage(deps, wanted, customer, begun, at) : currentOf(deps, wanted, at)
}

async function showPage(
  deps: PaymentDeps,
  wanted: WantedPayment,
  { customer_id: customerId }: Customer,
  payment: Payment,
  at: Date,
): Promise<Payment> {
  const { amountMinor, currency, description: text } = wanted
  const page = await deps.provider
    .openPage({
      id: payment.id,
      customerId,
      pays: { amountMinor, currency, description: text },
      returnUrl: `${deps.publicUrl}/dashboard/payments/${payment.id}`,
      at,
    })
    .catch((error: unknown) => unavailable(deps, error))
  await updatePage(deps.db, payment.id, page, at)
  deps.log.info(logged(payment), 'a payment page was opened')
  return { ...payment, page_id: page.id, page_url: page.url }
}

/** The provider opens no pages: the caller repeats the request, which goes on where this ended. */
export function unavailable({ log }: PaymentDeps, error: unknown): never {
  log.error({ error: loggable(error) }, 'the payment provider does not answer')
  throw refuse('service_unavailable', 'The payment provider is not answering.')
}

async function begin(
  { db, provider }: PaymentDeps,
  { account, purpose, dueId, amountMinor, currency }: WantedPayment,
  made: Pick<Payment, 'state' | 'made_by'>,
  at: Date,
): Promise<Payment | undefined> {
  const id = randomUUIDv7()
  const payment = {
    ...made,
    id,
    account_id: account.id,
    purpose,
    due_id: dueId,
    currency,
    at,
    amount_minor: amountMinor,
    provider: provider.name,
  }
  const isNew = await transaction(db, async (tx) => {
    await lockPayer(tx, account.id)
    return insertPayment(tx, payment)
  })
  return isNew ? selectPayment(db, id) : undefined
}

/** The account as the provider knows it, made known to it first if need be. */
export async function customerOf(
  deps: PaymentDeps,
  { id: accountId, name }: WantedPayment['account'],
  at: Date,
): Promise<Customer> {
  const { db, provider } = deps
  const known = await selectCustomer(db, accountId, provider.name)
  if (known) return known
  const customerId = await provider
    .createCustomer({ accountId, name })
    .catch((error: unknown) => unavailable(deps, error))
  await insertCustomer(db, accountId, provider.name, customerId, at)
  const made = await selectCustomer(db, accountId, provider.name)
  if (!made) throw new Error(`no customer of account ${accountId}`)
  return made
}

/**
 * Ends a page that waits for a card, so that something else can pay. Returns the attempt that has
 * succeeded, or may still.
 */
export async function endPage(
  deps: PaymentDeps,
  wanted: Pick<WantedPayment, 'account' | 'dueId' | 'purpose'>,
  at: Date,
): Promise<Payment | undefined> {
  const found = await selectInFlight(deps.db, keyOf(wanted))
  if (!found) return undefined
  if (found.page_id) await deps.provider.closePage(found.page_id)
  const asked = await ask(deps, found, at)
  return asked.state === 'failed' ? undefined : asked
}

const keyOf = ({
  account,
  dueId,
  purpose,
}: Pick<WantedPayment, 'account' | 'dueId' | 'purpose'>) => ({
  accountId: account.id,
  dueId,
  isPro: purpose === 'pro',
})
