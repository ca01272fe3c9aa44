import type { Requirements } from '../schema.ts'
import type { SettlementAttempt, Usage } from './settlement.ts'

/** A payment in the form of protocol version 2, as stored and sent. */
export type PaymentPayload = {
  x402Version: 2
  accepted: Requirements
  payload: {
    signature: string
    authorization: Record<'from' | 'to' | 'value' | 'validAfter' | 'validBefore' | 'nonce', string>
  }
}

/** A refund to the payer. With the same `id`, a repeated call is the same transfer. */
type Refund = { id: string; network: string; to: string; amount: bigint }

/** Verifies and settles payments, and looks them up on a node of the chain. */
export type Facilitator = {
  /** Why the payment would fail, or undefined. Throws if the facilitator cannot be queried. */
  verify(payment: PaymentPayload): Promise<string | undefined>
  /** Transfers the money. Never throws: without a trustworthy answer, the result is `none`. */
  settle(payment: PaymentPayload): Promise<SettlementAttempt>
  /** Whether the authorisation has paid the accepted amount. Throws if that is unknown. */
  lookUp(payment: PaymentPayload): Promise<Usage>
  /** Refunds and returns the proof; undefined if operators refund by hand. */
  refund?(refund: Refund): Promise<string>
}
