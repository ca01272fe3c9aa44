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

/** Money that goes back to who paid it. `id` makes a repetition the same transfer. */
type Refund = { id: string; network: string; to: string; amount: bigint }

/** Who verifies and settles payments: a facilitator, and a node of the network to ask. */
export type Facilitator = {
  /** Why the payment would fail, or undefined. Throws when the facilitator cannot be asked. */
  verify(payment: PaymentPayload): Promise<string | undefined>
  /** Moves the money. Never throws: no trustworthy answer is an attempt without a result. */
  settle(payment: PaymentPayload): Promise<SettlementAttempt>
  /** Whether the authorisation has paid what was accepted. Throws when nobody can tell. */
  lookUp(payment: PaymentPayload): Promise<Usage>
  /** Sends money back and answers the proof; undefined where an operator does that by hand. */
  refund?(refund: Refund): Promise<string>
}
