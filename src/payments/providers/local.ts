import { randomBytes } from 'node:crypto'
import type { Db } from '../../platform/database/sql.ts'
import { type LocalCard, localCards, localFailures, localLast4, SILENT_MS } from '../rules/cards.ts'
import type { Charge, PaymentProvider } from '../rules/provider.ts'
import {
  finishLocalCharge,
  insertLocalCharge,
  type LocalCharge,
  refundLocalCharge,
  selectLocalCharge,
  updateLocalCharge,
} from '../store/local-charges.ts'

/**
 * A local provider for development: pages at secret addresses (`/pay/…`), a card for each outcome,
 * and no real money. Its pages lead back to the dashboard, except in sandboxes, which the dashboard
 * may not be showing.
 */
export const createLocalProvider = (
  db: Db,
  publicUrl: string,
  { isOfSandbox = false } = {},
): PaymentProvider => ({
  name: 'local',
  createCustomer: async ({ accountId }) => `local_${accountId}`,
  async openPage({ id, customerId, pays, returnUrl, at }) {
    const urlOf = (key: string) => `${publicUrl}/pay/${key}`
    const key = randomBytes(32).toString('base64url')
    await insertLocalCharge(db, {
      id,
      idempotency_key: key,
      customer_id: customerId,
      amount_minor: pays?.amountMinor,
      currency: pays?.currency,
      description: pays?.description ?? 'A card for later payments',
      return_url: isOfSandbox ? urlOf(key) : returnUrl,
      state: 'open',
      at,
    })
    // A page opened before a crash keeps its address.
    const page = await selectLocalCharge(db, id)
    return { id, url: urlOf(page?.idempotency_key ?? key) }
  },
  async closePage(id) {
    await updateLocalCharge(db, id, { card: null, state: 'closed', silent_until: null })
  },
  async readSetup(id) {
    const page = await selectLocalCharge(db, id)
    return page?.state === 'succeeded' ? methodOf(page.card) : undefined
  },
  async charge({ paymentId, methodId, isReserved, idempotencyKey, at, ...request }) {
    const card = localCards.find((one) => one === methodId) ?? 'declined'
    await insertLocalCharge(db, {
      id: paymentId,
      idempotency_key: idempotencyKey,
      customer_id: request.customerId,
      amount_minor: request.amountMinor,
      currency: request.currency,
      description: request.description,
      card,
      state: localFailures[card] ? 'failed' : isReserved ? 'authorized' : 'succeeded',
      silent_until: silentUntil(card, at),
      at,
    })
    return stateOf(await selectLocalCharge(db, paymentId), at)
  },
  readCharge: async ({ paymentId, at }) => stateOf(await selectLocalCharge(db, paymentId), at),
  async finish(how, { paymentId, amountMinor, at }) {
    await finishLocalCharge(db, paymentId, how === 'capture' ? 'succeeded' : 'closed', amountMinor)
    return stateOf(await selectLocalCharge(db, paymentId), at)
  },
  async refund({ refundId: id, chargeId, amountMinor, idempotencyKey: key, at }) {
    const isGiven = await refundLocalCharge(db, { id, key, chargeId, amountMinor, at })
    return isGiven
      ? { state: 'succeeded', providerId: id }
      : { state: 'failed', reason: 'charge_already_refunded' }
  },
  async readRefund({ refundId }) {
    const refund = await selectLocalCharge(db, refundId)
    return refund ? { state: 'succeeded', providerId: refundId } : { state: 'absent' }
  },
})

/** Pays on a page with a card, or saves the card. If the card is declined, the page stays open. */
export async function payLocally(db: Db, page: LocalCharge, card: LocalCard, at: Date) {
  if (page.state !== 'open') return 'over'
  const isSetup = page.amount_minor === null
  if (card === 'declined' && !isSetup) return 'declined'
  const silent_until = isSetup ? null : silentUntil(card, at)
  const isPaid = await updateLocalCharge(db, page.id, { card, state: 'succeeded', silent_until })
  return isPaid ? 'done' : 'over'
}

const methodOf = (id: LocalCard | null) =>
  id === null ? undefined : { id, card: { brand: 'Test Visa', last4: localLast4[id] } }

const silentUntil = (card: LocalCard, at: Date) =>
  card === 'silent' ? new Date(at.getTime() + SILENT_MS) : null

function stateOf(charge: LocalCharge | undefined, at: Date): Charge {
  if (!charge) return { state: 'absent' }
  const { id: providerId, state, card, silent_until } = charge
  if (silent_until && silent_until > at) return { state: 'unknown' }
  switch (state) {
    case 'open':
      return { state: 'open' }
    case 'closed':
      return { state: 'failed', reason: charge.return_url ? 'page_expired' : 'canceled' }
    case 'succeeded':
      return { state: 'succeeded', providerId, method: methodOf(card) }
    case 'authorized':
      return { state, providerId }
    case 'failed':
      return { state: 'failed', providerId, reason: localFailures[card ?? 'declined'] }
  }
}
