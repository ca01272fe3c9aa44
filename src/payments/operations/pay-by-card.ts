import type { z } from 'zod'
import { Refusal, refuse } from '../../base/errors.ts'
import type { BookingServices } from '../../bookings/engine.ts'
import { amendBooking } from '../../bookings/operations/amend-booking.ts'
import { confirmBooking } from '../../bookings/operations/confirm-booking.ts'
import { holdSlot } from '../../bookings/operations/hold-slot.ts'
import { selectOptionalBookingStartOf } from '../../bookings/store/booking-starts.ts'
import type { Capability } from '../../contract/capability.ts'
import type { Context, Operation, OutputSchema } from '../../contract/operation.ts'
import type { OwnBooking } from '../../contract/public.ts'
import { cardNote } from '../rules/card-notes.ts'
import { feeRefusal, feeRefusals } from '../rules/fee-refusals.ts'
import { authorizeFee } from '../steps/authorize-fee.ts'
import { readBookingPayment } from '../steps/booking-payment.ts'
import type { PaymentDeps } from '../steps/deps.ts'
import { selectFeeProgress } from '../store/booking-payers.ts'
import type { PaymentServices } from './payments-of.ts'

type Services = BookingServices & PaymentServices
type Caller = Context<Services>
type ByCard<S> = Operation<z.ZodObject, OutputSchema, S>

const ITINERARY = 'make itinerary'
const names = [holdSlot.name, confirmBooking.name, amendBooking.name, ITINERARY]

/** Lets an account without pro book with its saved card, which pays the fee of each booking. */
export const withCards = <S extends Services>(one: Capability<S>): Capability<S> =>
  names.includes(one.operation.name) ? { ...one, operation: byCard(one.operation) } : one

const byCard = <S extends Services>(operation: ByCard<S>): ByCard<S> => {
  const settles = operation.name === confirmBooking.name || operation.name === ITINERARY
  return {
    ...operation,
    errors: settles
      ? [...new Set([...operation.errors, ...feeRefusals, 'payment_pending' as const])]
      : operation.errors,
    async run(ctx, input) {
      const { account, payments, settings } = ctx
      if (!payments || !account) return operation.run(ctx, input)
      const isPro = account.tier === 'pro'
      const payment = isPro ? null : await readBookingPayment(ctx.db, account.id, settings.feePct)
      // A hold that was made with a card is confirmed with it, even if the account has since
      // taken pro.
      if (payment?.by !== 'card' && input.hold_id === undefined) return operation.run(ctx, input)
      const authorize = (id: string) => authorizeHold(ctx, payments, account.id, id)
      try {
        const answer = await operation.run({ ...ctx, authorizeFee: authorize }, input)
        const { booking, next } = answer as { booking?: OwnBooking; next?: string }
        const isChange = operation.name === amendBooking.name
        const note = booking && cardNote(booking, payment?.card ?? null, isChange)
        return note ? { ...answer, next: [next, note].filter(Boolean).join(' ') } : answer
      } catch (error) {
        throw withPage(error, settings.publicUrl)
      }
    },
  }
}

/** Throws the refusal if the fee of a hold that is about to be confirmed is not authorised. */
async function authorizeHold(
  { db, at, settings }: Caller,
  payments: PaymentDeps,
  accountId: string,
  bookingId: string,
): Promise<void> {
  const [progress] = await selectFeeProgress(db, bookingId)
  if (!progress?.is_due) return
  const start = await selectOptionalBookingStartOf(db, accountId, bookingId)
  // An itinerary pays for its own parts.
  if (!start || start.group?.kind === 'itinerary') return
  const payment = await authorizeFee(payments, bookingId, settings.feePct, at)
  if (!payment || payment.state === 'authorized') return
  if (payment.state === 'failed') throw new Refusal(feeRefusal(payment.reason ?? 'card_declined'))
  const what = 'The bank has not answered yet whether it authorises the fee.'
  throw refuse('payment_pending', what, { payment_id: payment.id })
}

const withPages: readonly string[] = [...feeRefusals, 'fee_above_authorized']

/** The refusal with the page on which a person can end it. */
function withPage(error: unknown, publicUrl: string): unknown {
  if (!(error instanceof Refusal) || !withPages.includes(error.data.code)) return error
  const facts = { ...error.data.facts, plan_url: `${publicUrl}/dashboard/plan` }
  return new Refusal({ ...error.data, facts })
}
