import { randomUUIDv7 } from 'node:crypto'
import { selectCustomer, updateMethod, updateSetup } from '../store/customers.ts'
import type { PaymentDeps } from './deps.ts'
import { customerOf, type PaymentRequest, unavailable } from './pay.ts'

/** Opens a page on which an account saves a card for later payments. Returns its address. */
export async function openSetup(
  deps: PaymentDeps,
  account: PaymentRequest['account'],
  at: Date,
): Promise<string> {
  const { customer_id: customerId } = await customerOf(deps, account, at)
  const id = randomUUIDv7()
  const returnUrl = `${deps.publicUrl}/dashboard/plan`
  const page = await deps.provider
    .openPage({ id, customerId, pays: null, returnUrl, at })
    .catch((error: unknown) => unavailable(deps, error))
  await updateSetup(deps.db, account.id, deps.provider.name, { id, pageId: page.id }, at)
  deps.log.info({ account_id: account.id }, 'a page to leave a card was opened')
  return page.url
}

/** Whether an account has saved a card. Asks the provider about an open page; may throw. */
export async function hasCard(deps: PaymentDeps, accountId: string, at: Date): Promise<boolean> {
  const { db, provider, log } = deps
  const customer = await selectCustomer(db, accountId, provider.name)
  if (!customer?.setup_page_id) return customer?.method_id != null
  const methodId = await provider.readSetup(customer.setup_page_id)
  if (methodId === undefined) return customer.method_id !== null
  await updateMethod(db, accountId, provider.name, methodId, at)
  log.info({ account_id: accountId }, 'an account left a card')
  return true
}
