import type { Stripe } from 'stripe'
import type { PaymentProvider, ProviderEvent } from '../rules/provider.ts'
import { stripeAmount } from '../rules/stripe-amount.ts'
import {
  chargeOf,
  failedChargeOf,
  failedRefundOf,
  methodOf,
  pageChargeOf,
  refundedOf,
} from './stripe-states.ts'

/** After this time, the outcome counts as unknown. */
const TIMEOUT_MS = 20_000
/** Retries keep the same idempotency key. */
const RETRIES = 2
const TOLERANCE_SECONDS = 300

export type StripeOptions = {
  secretKey: string
  webhookSecret: string
  /** replaces Stripe’s address in tests */
  apiUrl?: string | undefined
}

/** Payments through Stripe. The package is loaded here because most processes run without it. */
export async function openStripe(options: StripeOptions): Promise<PaymentProvider> {
  const { Stripe: Client } = await import('stripe')
  const { secretKey, webhookSecret, apiUrl } = options
  const stripe = new Client(secretKey, {
    timeout: TIMEOUT_MS,
    maxNetworkRetries: RETRIES,
    telemetry: false,
    ...addressOf(apiUrl),
  })
  return {
    name: 'stripe',
    async createCustomer({ accountId, name }) {
      const params = { name, metadata: { account_id: accountId } }
      const once = { idempotencyKey: `customer:${accountId}` }
      return (await stripe.customers.create(params, once)).id
    },
    async openPage({ id, customerId, pays, returnUrl }) {
      const metadata = pays ? { payment_id: id } : { setup_id: id }
      const common = {
        customer: customerId,
        success_url: returnUrl,
        cancel_url: returnUrl,
        metadata,
      }
      const { id: pageId, url } = await stripe.checkout.sessions.create(
        pays
          ? {
              ...common,
              mode: 'payment',
              line_items: [{ quantity: 1, price_data: priceOf(pays) }],
              payment_intent_data: {
                setup_future_usage: 'off_session',
                description: pays.description,
                metadata,
              },
            }
          : { ...common, mode: 'setup', currency: 'usd' },
        { idempotencyKey: `page:${id}` },
      )
      if (!url) throw new Error('Stripe opened a page without an address')
      return { id: pageId, url }
    },
    async closePage(pageId) {
      await stripe.checkout.sessions.expire(pageId).catch((error: { type?: string }) => {
        // This error means that the page has been paid or has expired.
        if (error.type !== 'StripeInvalidRequestError') throw error
      })
    },
    async readSetup(pageId) {
      const page = await stripe.checkout.sessions.retrieve(pageId, {
        expand: ['setup_intent.payment_method'],
      })
      const intent = page.setup_intent
      if (!intent || typeof intent === 'string' || intent.status !== 'succeeded') return undefined
      return methodOf(intent.payment_method)
    },
    charge: ({ paymentId, customerId, methodId, isReserved, idempotencyKey, ...request }) =>
      stripe.paymentIntents
        .create(
          {
            amount: stripeAmount(request.amountMinor, request.currency),
            currency: request.currency.toLowerCase(),
            ...(isReserved && { capture_method: 'manual' }),
            customer: customerId,
            payment_method: methodId,
            off_session: true,
            confirm: true,
            description: request.description,
            metadata: { payment_id: paymentId },
            expand: ['payment_method'],
          },
          { idempotencyKey },
        )
        .then(chargeOf, failedChargeOf),
    async readCharge({ paymentId, customerId, pageId, providerId }) {
      if (pageId) {
        const expand = ['payment_intent.payment_method']
        return pageChargeOf(await stripe.checkout.sessions.retrieve(pageId, { expand }))
      }
      const { paymentIntents } = stripe
      const expand = ['payment_method']
      if (providerId) return chargeOf(await paymentIntents.retrieve(providerId, { expand }))
      for await (const intent of paymentIntents.list({ customer: customerId, limit: 100 })) {
        if (intent.metadata.payment_id === paymentId) return chargeOf(intent)
      }
      return { state: 'absent' }
    },
    async finish(how, { paymentId, providerId, amountMinor, currency }) {
      const { paymentIntents } = stripe
      const amount_to_capture = stripeAmount(amountMinor, currency)
      const once = { idempotencyKey: `${how}:${paymentId}:${amount_to_capture}` }
      const finishing =
        how === 'capture'
          ? paymentIntents.capture(providerId, { amount_to_capture }, once)
          : paymentIntents.cancel(providerId, {}, once)
      const charge = await finishing.then(chargeOf, failedChargeOf)
      // Stripe refuses what an earlier call has done, or what has lapsed: the intent says which.
      return charge.state === 'failed'
        ? chargeOf(await paymentIntents.retrieve(providerId))
        : charge
    },
    refund: ({ refundId, chargeId, amountMinor, currency, idempotencyKey }) =>
      stripe.refunds
        .create(
          {
            payment_intent: chargeId,
            amount: stripeAmount(amountMinor, currency),
            metadata: { refund_id: refundId },
          },
          { idempotencyKey },
        )
        .then(refundedOf, failedRefundOf),
    async readRefund({ refundId, chargeId, providerId }) {
      if (providerId) return refundedOf(await stripe.refunds.retrieve(providerId))
      for await (const refund of stripe.refunds.list({ payment_intent: chargeId, limit: 100 })) {
        if (refund.metadata?.refund_id === refundId) return refundedOf(refund)
      }
      return { state: 'absent' }
    },
    readEvent(body, signature, at) {
      const time = at.getTime()
      const args = [body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, time] as const
      try {
        return eventOf(stripe.webhooks.constructEvent(...args))
      } catch (error) {
        if ((error as { type?: string }).type === 'StripeSignatureVerificationError')
          return undefined
        throw error
      }
    },
  }
}

type Price = NonNullable<Parameters<PaymentProvider['openPage']>[0]['pays']>

const priceOf = ({ amountMinor, currency, description }: Price) => ({
  currency: currency.toLowerCase(),
  unit_amount: stripeAmount(amountMinor, currency),
  product_data: { name: description },
})

/** The payment or refund that an event concerns, from metadata that we set on the object. */
function eventOf({ id, type, data }: Stripe.Event): ProviderEvent {
  const { metadata } = data.object as { metadata?: Record<string, string> | null }
  const of = (name: string) => metadata?.[name] ?? null
  return {
    id,
    type,
    paymentId: of('payment_id'),
    refundId: of('refund_id'),
    setupId: of('setup_id'),
  }
}

function addressOf(apiUrl: string | undefined) {
  if (!apiUrl) return {}
  const { hostname, port, protocol } = new URL(apiUrl)
  return { host: hostname, port, protocol: protocol === 'http:' ? 'http' : 'https' } as const
}
