import type { Requirements } from '../schema.ts'
import type { SettlementAttempt, Usage } from './settlement.ts'

/** A payment in the form of version 2 of the protocol, as it is stored and sent. */
export type PaymentPayload = {
  x402Version: 2
  accepted: Requirements
  payload: {
    signature: string
    authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>
  }
}

/** A refund to the payer. `id` makes a repeated call the same transfer. */
type Refund = { id: string; network: string; to: string; amount: bigint }

/** Verifies and settles payments, and looks them up at a node of the chain. */
export type Facilitator = {
  /** Why the payment would fail, or undefined. Throws when the facilitator cannot be asked. */
  verify(payment: PaymentPayload): Promise<string | undefined>
  /** Moves the money. Never throws: without a trustworthy answer the result is `none`. */
  settle(payment: PaymentPayload): Promise<SettlementAttempt>
  /** Whether the authorisation has paid the accepted amount. Throws if that is unknown. */
  lookUp(payment: PaymentPayload): Promise<Usage>
  /** Refunds and returns the proof; undefined where operators refund by hand. */
  refund?(refund: Refund): Promise<string>
}
