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

const priceOf = ({ amountMinor, currency, description }: PaymentRequest) => ({
  amountMinor,
  currency,
  description,
})

/** The payment request for a due. */
export const paymentRequestOf = (account: PaymentRequest['account'], due: Due): PaymentRequest => ({
  account,
  purpose: due.purpose,
  dueId: due.id,
  amountMinor: due.amount_minor,
  currency: due.currency,
  description: description(due),
})

/** A payment to make: its purpose, amount and account. */
export type PaymentRequest = {
  account: { id: string; name: string }
  purpose: Payment['purpose']
  /** the due or booking; null for a month of pro, whose due is created once it is paid */
  dueId: string | null
  amountMinor: number
  currency: string
  /** what the customer reads on the provider's page */
  description: string
}

/**
 * Pays with the card on file, or opens a page for another card. A due has only one attempt at a
 * time: if one is in flight, queries its outcome and returns it. Undefined if already paid.
 */
export async function pay(
  deps: PaymentDeps,
  request: PaymentRequest,
  at: Date,
): Promise<Payment | undefined> {
  const current = await currentOf(deps, request, at)
  if (current) return current
  const customer = await customerOf(deps, request.account, at)
  if (customer.method_id) {
    const payment = await charge(deps, request, customer, 'customer', at)
    if (payment && payment.state !== 'failed') return payment
  }
  return openPage(deps, request, customer, at)
}

/** Charges the card on file, without a page. Undefined if another attempt has paid or still may. */
export async function charge(
  deps: PaymentDeps,
  request: PaymentRequest,
  customer: Customer,
  madeBy: Payment['made_by'],
  at: Date,
): Promise<Payment | undefined> {
  const methodId = customer.method_id
  if (!methodId) throw new Error(`account ${customer.account_id} has no way to pay`)
  // Recorded before it is sent, so that after a crash its outcome can be queried.
  const payment = await begin(deps, request, { state: 'processing', made_by: madeBy }, at)
  if (!payment) return undefined
  deps.log.info({ ...logged(payment), made_by: madeBy }, 'charging the card on file')
  const chargeRequest = {
    ...priceOf(request),
    paymentId: payment.id,
    customerId: customer.customer_id,
    methodId,
    isReserved: request.purpose === 'booking',
    at,
    idempotencyKey: payment.idempotency_key,
  }
  try {
    return await applyCharge(deps, payment.id, await deps.provider.charge(chargeRequest), at)
  } catch (error) {
    const line = { ...logged(payment), error: loggable(error) }
    deps.log.error(line, 'a charge failed on our side: the provider is asked about it later')
    return payment
  }
}

async function currentOf(deps: PaymentDeps, request: PaymentRequest, at: Date) {
  const inFlight = await selectInFlight(deps.db, keyOf(request))
  if (!inFlight) return undefined
  const payment = await ask(deps, inFlight, at)
  if (payment.state === 'failed') return undefined
  // A payment without a page was left by a crash.
  if (payment.state !== 'created' || payment.page_url) return payment
  return showPage(deps, request, await customerOf(deps, request.account, at), payment, at)
}

async function openPage(deps: PaymentDeps, request: PaymentRequest, customer: Customer, at: Date) {
  const state = { state: 'created', made_by: 'customer' } as const
  const payment = await begin(deps, request, state, at)
  return payment ? showPage(deps, request, customer, payment, at) : currentOf(deps, request, at)
}

async function showPage(
  deps: PaymentDeps,
  request: PaymentRequest,
  { customer_id: customerId }: Customer,
  payment: Payment,
  at: Date,
): Promise<Payment> {
  const page = await deps.provider
    .openPage({
      id: payment.id,
      customerId,
      pays: priceOf(request),
      returnUrl: `${deps.publicUrl}/dashboard/payments/${payment.id}`,
      at,
    })
    .catch((error: unknown) => unavailable(deps, error))
  await updatePage(deps.db, payment.id, page, at)
  deps.log.info(logged(payment), 'a payment page was opened')
  return { ...payment, page_id: page.id, page_url: page.url }
}

/** Refuses a request because the provider did not answer; repeating it resumes where it stopped. */
export function unavailable({ log }: PaymentDeps, error: unknown): never {
  log.error({ error: loggable(error) }, 'the payment provider does not answer')
  throw refuse('service_unavailable', 'The payment provider is not answering.')
}

async function begin(
  { db, provider }: PaymentDeps,
  { account, purpose, dueId, amountMinor, currency }: PaymentRequest,
  state: Pick<Payment, 'state' | 'made_by'>,
  at: Date,
): Promise<Payment | undefined> {
  const id = randomUUIDv7()
  const payment = {
    ...state,
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

/** An account's customer at the provider, created on first use. */
export async function customerOf(
  deps: PaymentDeps,
  { id: accountId, name }: PaymentRequest['account'],
  at: Date,
): Promise<Customer> {
  const { db, provider } = deps
  const existing = await selectCustomer(db, accountId, provider.name)
  if (existing) return existing
  const customerId = await provider
    .createCustomer({ accountId, name })
    .catch((error: unknown) => unavailable(deps, error))
  await insertCustomer(db, accountId, provider.name, customerId, at)
  const customer = await selectCustomer(db, accountId, provider.name)
  if (!customer) throw new Error(`no customer of account ${accountId}`)
  return customer
}

/**
 * Closes an open page, so that another attempt can begin. Returns the attempt if it has succeeded
 * or still may.
 */
export async function endPage(
  deps: PaymentDeps,
  request: Key,
  at: Date,
): Promise<Payment | undefined> {
  const inFlight = await selectInFlight(deps.db, keyOf(request))
  if (!inFlight) return undefined
  if (inFlight.page_id) await deps.provider.closePage(inFlight.page_id)
  const payment = await ask(deps, inFlight, at)
  return payment.state === 'failed' ? undefined : payment
}

type Key = Pick<PaymentRequest, 'account' | 'dueId' | 'purpose'>

const keyOf = ({ account: { id: accountId }, dueId, purpose }: Key) => ({
  accountId,
  dueId,
  isPro: purpose === 'pro',
})
