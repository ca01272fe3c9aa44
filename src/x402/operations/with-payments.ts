import { refuse } from '../../base/errors.ts'
import { confirmBooking } from '../../bookings/operations/confirm-booking.ts'
import type { BookingRequest } from '../../bookings/operations/store-request.ts'
import type { Capability } from '../../contract/capability.ts'
import type { Context, Operation } from '../../contract/operation.ts'
import type { X402Terms } from '../rules/terms.ts'
import { settleResponse } from '../schema.ts'
import { confirmPaid } from './confirm-paid.ts'
import type { Paying } from './verify-payment.ts'

/** Lets callers below the pro tier pay for a booking by x402, where the network takes that. */
export const withPayments = (capabilities: readonly Capability[]): readonly Capability[] =>
  capabilities.map((one) =>
    one.operation.name === confirmBooking.name
      ? { ...one, operation: payable(one.operation) }
      : one,
  )

const receipt = settleResponse.optional().describe('The x402 payment for it, if there was one')

const paymentErrors = [
  ...(['payment_required', 'payment_rejected', 'payment_malformed'] as const),
  ...(['payment_reused', 'payment_unavailable'] as const),
]

const payable = (operation: Operation): Operation => ({
  ...operation,
  payable: true,
  output: operation.output.extend({ payment: receipt }),
  errors: [...operation.errors, ...paymentErrors],
  async run(ctx, input) {
    const { account } = ctx
    const paying = payingOf(ctx)
    if (!paying || account?.tier === 'pro') return operation.run(ctx, input)
    if (input.hold_id !== undefined || input.alternatives !== undefined) {
      throw refuse(account ? 'plan_required' : 'unauthenticated')
    }
    return confirmPaid(ctx, paying, input as BookingRequest & { wait: number })
  },
})

/** Where payments go; sandboxes make none. */
function payingOf({ facilitator, settings, account }: Context): Paying | undefined {
  const terms = settings.x402
  return facilitator && terms && account?.mode !== 'test' ? { facilitator, terms } : undefined
}

declare module '../../contract/operation.ts' {
  interface Settings {
    /** what the network takes by x402; null where it takes nothing */
    x402: X402Terms | null
  }
}
