import { summaryOf } from '../../bookings/rules/booking-messages.ts'
import { feeOf } from '../../bookings/steps/confirm.ts'
import { selectBookingStart } from '../../bookings/store/booking-starts.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { continuePass } from '../../platform/database/continue-pass.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { Pass } from '../../platform/process/work-through.ts'
import { bookingDescription } from '../rules/descriptions.ts'
import { lowerToFee, selectAuthorized, updateFeeOfNothing } from '../store/booking-payers.ts'
import { selectCustomer } from '../store/customers.ts'
import { type Payment, selectInFlight, selectPayment } from '../store/payments.ts'
import { applyCharge } from './apply-charge.ts'
import { ask } from './ask.ts'
import type { PaymentDeps } from './deps.ts'
import { charge, type PaymentRequest } from './pay.ts'

/**
 * Authorises the fee of a held booking on its account's card, or looks up an earlier attempt.
 * Undefined if there is nothing to authorise: it has been, or something else pays.
 */
export async function authorizeFee(
  deps: PaymentDeps,
  bookingId: string,
  feePct: number,
  at: Date,
): Promise<Payment | undefined> {
  const { db, provider } = deps
  const booking = await transaction(db, (tx) => selectBookingForUpdate(tx, bookingId))
  const { account_id: accountId, authorized_minor } = booking
  const { amount_minor: amountMinor, currency } = feeOf(booking, feePct)
  const isShort = authorized_minor !== null && authorized_minor < amountMinor
  const isOver = booking.starts_at <= at || (booking.hold_until ?? booking.starts_at) <= at
  if (booking.status !== 'held' || isOver || (booking.unpaid !== 'card' && !isShort))
    return undefined
  if (amountMinor === 0) {
    await updateFeeOfNothing(db, bookingId)
    return undefined
  }
  const inFlight = () => selectInFlight(db, { accountId, dueId: bookingId, isPro: false })
  const earlier = await inFlight()
  // The hold has grown since, and one payment has to cover all of its fee.
  if (earlier?.state === 'authorized') await finish(deps, earlier.id, 'release', at)
  else if (earlier) return ask(deps, earlier, at)
  const customer = await selectCustomer(db, accountId, provider.name)
  if (!customer?.method_id) throw new Error(`no card pays for booking ${bookingId}`)
  const request: PaymentRequest = {
    account: { id: accountId, name: '' },
    purpose: 'booking',
    dueId: bookingId,
    amountMinor,
    currency,
    description: bookingDescription(summaryOf(await selectBookingStart(db, bookingId))),
  }
  // Another call may have begun a payment in between.
  return (await charge(deps, request, customer, 'customer', at)) ?? inFlight()
}

/** Captures or releases what is authorised for a booking, and records the provider's answer. */
async function finish(deps: PaymentDeps, id: string, how: 'capture' | 'release', at: Date) {
  // A change may have lowered the fee since.
  if (how === 'capture') await lowerToFee(deps.db, id)
  const payment = await selectPayment(deps.db, id)
  if (!payment?.provider_id) throw new Error(`no charge of payment ${id}`)
  const charge = await deps.provider.finish(how, {
    paymentId: id,
    providerId: payment.provider_id,
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    at,
  })
  return applyCharge(deps, id, charge, at)
}

/**
 * Captures the authorised fees of bookings that owe one, and releases those of bookings that ended
 * without. Repeating this moves no money twice.
 */
export const finishFees = (deps: PaymentDeps, at: Date): Promise<Pass> =>
  continuePass(deps, 'card-fees', {
    select: (page) => selectAuthorized(deps.db, deps.provider.name, page),
    idOf: ({ id }) => id,
    help: async ({ id, how }) => (await finish(deps, id, how, at)).state !== 'authorized',
  })

/** Like `authorizeFee`, but throws while the outcome is unknown, so that the caller retries. */
export async function settleFee(...args: Parameters<typeof authorizeFee>): Promise<void> {
  const payment = await authorizeFee(...args)
  if (payment && payment.state !== 'authorized' && payment.state !== 'failed') {
    throw new Error(`the payment ${payment.id} is ${payment.state}`)
  }
}
