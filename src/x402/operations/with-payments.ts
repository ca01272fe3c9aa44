import type { z } from 'zod'
import { planRequired } from '../../accounts/operations/plan-required.ts'
import { refuse } from '../../base/errors.ts'
import { confirmBooking } from '../../bookings/operations/confirm-booking.ts'
import type { BookingRequest } from '../../bookings/operations/store-request.ts'
import type { Capability } from '../../contract/capability.ts'
import { changeForms, type Operation, type OutputSchema } from '../../contract/operation.ts'
import type { X402Context, X402Services } from '../hooks.ts'
import { settleResponse } from '../schema.ts'
import { confirmPaid } from './confirm-paid.ts'
import type { Paying } from './verify-payment.ts'

/** Lets callers below the pro tier pay for a booking by x402, if the network accepts it. */
export const withPayments = <S extends X402Services>(one: Capability<S>): Capability<S> =>
  one.operation.name === confirmBooking.name ? { ...one, operation: payable(one.operation) } : one

type Paid<S> = Operation<z.ZodObject, OutputSchema, S>

const receipt = settleResponse.optional().describe('The x402 payment for it, if there was one')

const paymentErrors = [
  ...(['payment_required', 'payment_rejected', 'payment_malformed'] as const),
  ...(['payment_reused', 'payment_unavailable'] as const),
]

const payable = <S extends X402Services>(operation: Paid<S>): Paid<S> => ({
  ...operation,
  payable: true,
  output: changeForms(operation.output, (form) => form.extend({ payment: receipt })),
  errors: [...operation.errors, ...paymentErrors],
  async run(ctx, input) {
    const { account } = ctx
    const paying = payingOf(ctx)
    const isPaid = account?.tier === 'pro' || (await isByCard(ctx))
    if (!paying || isPaid) return operation.run(ctx, input)
    if (input.hold_id !== undefined || input.alternatives !== undefined) {
      throw account ? await planRequired(ctx, account) : refuse('unauthenticated')
    }
    return confirmPaid(ctx, paying, input as BookingRequest & { wait: number })
  },
})

/** Whether a saved card pays, because the call brings no payment of its own. */
const isByCard = async ({ payment, account, billing }: X402Context): Promise<boolean> =>
  payment === undefined && account !== null && (await billing?.paysByCard(account)) === true

/** A call's facilitator and terms; undefined in sandboxes, which make no payments. */
function payingOf({ facilitator, settings, account }: X402Context): Paying | undefined {
  const terms = settings.x402
  return facilitator && terms && account?.mode !== 'test' ? { facilitator, terms } : undefined
}
