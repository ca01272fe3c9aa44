import { randomBytes } from 'node:crypto'
import canonicalize from 'canonicalize'
import { planRequired } from '../../accounts/operations/plan-required.ts'
import { depositFor, type StatedDeposit } from '../../availability/rules/deposit.ts'
import { feeBase } from '../../availability/rules/service-terms.ts'
import {
  type Choice,
  evaluateServices,
  looksFree,
  type PartyRequest,
} from '../../availability/steps/evaluate-services.ts'
import { Refusal, refuse } from '../../base/errors.ts'
import { findSlot } from '../../bookings/operations/requested-slot.ts'
import type { BookingRequest } from '../../bookings/operations/store-request.ts'
import { explainUnavailable, withAlternatives } from '../../bookings/steps/explain-unavailable.ts'
import { feeFor } from '../../bookings/store/fees.ts'
import { digestOf } from '../../contract/idempotency.ts'
import type { Context } from '../../contract/operation.ts'
import type { X402Context } from '../hooks.ts'
import { toAssetAmount } from '../rules/amount.ts'
import { isTestNetwork, PAYMENT_SECONDS, QUOTE_SECONDS, type X402Terms } from '../rules/terms.ts'
import type { Requirements } from '../schema.ts'

/** The price of a booking, and exactly what it covers. */
export type Price = {
  minor: number
  currency: string
  /** units of the currency per unit of the asset */
  rate: string
  /** the booking to which the price applies; its quote pays for no other booking */
  subject: Record<string, unknown>
  /** the venue's deposit, which is paid to the venue */
  deposit?: StatedDeposit
  isDemo?: true
}

/**
 * The network's fee for a slot; undefined if its currency has no rate. Throws the same refusals as
 * a booking, so that nobody pays for a taken slot.
 */
export async function priceOfBooking(
  ctx: X402Context,
  terms: X402Terms,
  request: BookingRequest,
): Promise<Price | undefined> {
  const { venue, slot, wish } = await findSlot(ctx, request)
  const { is_demo, takes_test_money } = venue
  if (is_demo && !(takes_test_money && isTestNetwork(terms))) throw await notPayable(ctx)
  const { party_size: partySize } = request
  const [slotTime, timezone] = [slot.local, venue.timezone]
  const party = { venueId: venue.id, venueName: venue.name, slotTime, timezone, partySize, ...wish }
  const choice = await firstChoice(ctx, party)
  const { rules, currency } = choice.service
  const rate = terms.rates[currency]
  if (rate === undefined) return undefined
  const base = feeBase(rules, partySize, choice.slot.startsAt, choice.slot.endsAt)
  const { amount_minor: minor } = feeFor(base, ctx.settings.feePct, currency)
  const subject = { venue_id: venue.id, slot_time: slotTime, party_size: partySize, ...wish }
  const deposit = depositFor(rules.deposits, { slotTime, partySize, currency })
  const stated = { ...(deposit && { deposit }), ...(is_demo && { isDemo: is_demo }) }
  return { minor, currency, rate, subject, ...stated }
}

/** Nothing is charged at demo venues, so a payment cannot take the place of a pro key there. */
async function notPayable(ctx: X402Context) {
  const why = 'This demo venue takes no x402 payments.'
  if (ctx.account) return planRequired(ctx, ctx.account, why)
  const sandbox = `${ctx.settings.publicUrl}/docs/sandbox`
  const what = `${why} A key books here or, free of charge, in the sandbox: ${sandbox}.`
  return refuse('unauthenticated', what, { sandbox })
}

/** The service to book. Throws if there is none. */
async function firstChoice(ctx: Context, party: PartyRequest): Promise<Choice> {
  const evaluation = await evaluateServices(ctx.db, party, ctx.at)
  const [choice] = evaluation.choices
  if (!choice || !(await looksFree(ctx.db, evaluation, party))) {
    const why = await explainUnavailable(ctx.db, party, evaluation, ctx.at)
    throw new Refusal(await withAlternatives(ctx.db, party, why, { at: ctx.at }))
  }
  return choice
}

type Quoting = Pick<Context, 'egress' | 'at'>

/** The payment requirements; `extra.quote` is secret and cannot be forged. */
export function quote(ctx: Quoting, terms: X402Terms, price: Price): Requirements {
  const until = Math.floor(ctx.at.getTime() / 1000) + QUOTE_SECONDS
  const id = `${until}.${randomBytes(12).toString('base64url')}`
  return requirementsOf(ctx, terms, price, id)
}

function requirementsOf(
  ctx: Quoting,
  { network, asset, payTo }: X402Terms,
  price: Price,
  id: string,
): Requirements {
  const amount = toAssetAmount(price.minor, price.currency, price.rate).toString()
  const { newest } = digestOf(ctx, { ...price, amount, network, asset, payTo, id })
  return {
    scheme: 'exact',
    network,
    amount,
    asset: asset.address,
    payTo,
    maxTimeoutSeconds: PAYMENT_SECONDS,
    extra: {
      name: asset.name,
      version: asset.version,
      quote: `${id}.${newest.toString('base64url')}`,
    },
  }
}

/** Whether `accepted` is our quote for this booking at this price, and still recent enough. */
export function isQuoteFor(ctx: Quoting, terms: X402Terms, price: Price, accepted: Requirements) {
  const [until = '', random = ''] = String(accepted.extra.quote).split('.')
  if (!(Number(until) * 1000 > ctx.at.getTime())) return false
  const ours = requirementsOf(ctx, terms, price, `${until}.${random}`)
  return canonicalize(ours) === canonicalize(accepted)
}
