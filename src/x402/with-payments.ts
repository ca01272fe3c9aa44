import { confirmBooking } from '../bookings/operations/confirm-booking.ts'
import type { BookingRequest } from '../bookings/operations/open-request.ts'
import type { Capability } from '../contract/capability.ts'
import type { Operation } from '../contract/operation.ts'
import { refuse } from '../contract/rules/errors.ts'
import { confirmPaid } from './operations/confirm-paid.ts'
import type { X402Terms } from './rules/terms.ts'
import { settleResponse } from './schema.ts'

/** Lets callers below the pro tier pay for a booking by x402, where the network takes that. */
export const withPayments = (capabilities: readonly Capability[]): readonly Capability[] =>
  capabilities.map((one) =>
    one.operation.name === confirmBooking.name
      ? { ...one, operation: payable(one.operation) }
      : one,
  )

const payable = (operation: Operation): Operation => ({
  ...operation,
  payable: true,
  output: operation.output.extend({
    payment: settleResponse.optional().describe('The x402 payment for it, if there was one'),
  }),
  errors: [
    ...operation.errors,
    'payment_required',
    'payment_rejected',
    'payment_malformed',
    'payment_reused',
    'payment_unavailable',
  ],
  async run(ctx, input) {
    const { facilitator, account } = ctx
    const terms = ctx.settings.x402
    const isPlanned = account?.tier === 'pro' || account?.mode === 'test'
    if (!facilitator || !terms || isPlanned) return operation.run(ctx, input)
    if (input.hold_id !== undefined || input.alternatives !== undefined) {
      throw refuse(account ? 'plan_required' : 'unauthenticated')
    }
    return confirmPaid(ctx, { facilitator, terms }, input as BookingRequest & { wait: number })
  },
})

declare module '../contract/operation.ts' {
  interface Settings {
    /** what the network takes by x402; null where it takes nothing */
    x402: X402Terms | null
  }
}
