import { randomUUIDv7 } from 'node:crypto'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { selectCustomer, updateSetup } from '../store/customers.ts'
import type { PaymentDeps } from './deps.ts'
import { customerOf, type PaymentRequest, unavailable } from './pay.ts'
import { recordCard } from './record-card.ts'

/**
 * Opens a page on which an account saves a card for later payments, replacing an earlier page.
 * Returns its address. `record` notes in the audit log who opened it.
 */
export async function openSetup(
  deps: PaymentDeps,
  account: PaymentRequest['account'],
  at: Date,
  record: (tx: Db) => Promise<unknown>,
): Promise<string> {
  const { customer_id: customerId, setup_page_id } = await customerOf(deps, account, at)
  if (setup_page_id) await endSetup(deps, account.id, setup_page_id, at)
  const id = randomUUIDv7()
  const returnUrl = `${deps.publicUrl}/dashboard/plan?done=card`
  const page = await deps.provider
    .openPage({ id, customerId, pays: null, returnUrl, at })
    .catch((error: unknown) => unavailable(deps, error))
  await transaction(deps.db, async (tx) => {
    await record(tx)
    await updateSetup(tx, account.id, deps.provider.name, { id, pageId: page.id }, at)
  })
  deps.log.info({ account_id: account.id }, 'a page to leave a card was opened')
  return page.url
}

/** Closes a page. A card already saved on it still counts. */
async function endSetup(deps: PaymentDeps, accountId: string, pageId: string, at: Date) {
  try {
    await deps.provider.closePage(pageId)
    await hasCard(deps, accountId, at)
  } catch (error) {
    unavailable(deps, error)
  }
}

/** Whether an account has saved a card. Queries the provider about an open page; may throw. */
export async function hasCard(deps: PaymentDeps, accountId: string, at: Date): Promise<boolean> {
  const { db, provider, log } = deps
  const customer = await selectCustomer(db, accountId, provider.name)
  if (!customer?.setup_page_id) return customer?.method_id != null
  const pageId = customer.setup_page_id
  const method = await provider.readSetup(pageId)
  if (method === undefined) return customer.method_id !== null
  const card = { accountId, provider: provider.name, method, pageId, at }
  await transaction(db, (tx) => recordCard(tx, card))
  log.info({ account_id: accountId }, 'an account left a card')
  return true
}
