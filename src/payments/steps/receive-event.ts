import { refuse } from '../../base/errors.ts'
import { insertProviderEvent, isKnownEvent } from '../../platform/database/provider-events.ts'
import { selectRefund } from '../store/refunds.ts'
import type { PaymentDeps } from './deps.ts'
import { recordPaid } from './record-paid.ts'
import { askAboutRefund } from './refund.ts'

/**
 * Receives an event from a provider. The event is used only to learn what to query, so events may
 * be repeated, late and out of order. Throws `bad_signature` for any other sender.
 */
export async function receiveEvent(deps: PaymentDeps, body: Buffer, signature: string, at: Date) {
  const { db, provider, log } = deps
  const event = provider.readEvent?.(body, signature, at)
  if (!event) throw refuse('bad_signature')
  const { id, type, paymentId, refundId, setupId } = event
  const line = { event_id: id, type, ...(paymentId && { payment_id: paymentId }) }
  if (await isKnownEvent(db, provider.name, id)) {
    log.info(line, 'a payment event came again')
    return
  }
  const pageId = paymentId ?? setupId
  const isOfPage = pageId !== null && (await recordPaid(deps, pageId, at).catch(sendAgain))
  const refund = refundId ? await selectRefund(db, refundId) : undefined
  if (refund) await askAboutRefund(deps, refund.id, at).catch(sendAgain)
  await insertProviderEvent(db, provider.name, { id, type, at })
  log.info({ ...line, known: isOfPage || refund !== undefined }, 'payment event received')
}

/** Refuses an event that had no effect, so that the provider resends it. */
function sendAgain(error: unknown): never {
  if ((error as { type?: string }).type === undefined) throw error
  throw noAnswer()
}

const noAnswer = () => refuse('service_unavailable', 'The payment provider is not answering.')
