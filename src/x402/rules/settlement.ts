/** Where a payment stands. `unknown`: asked to settle, and what became of it is being asked. */
export const paymentStates = [
  'verified',
  'settling',
  'unknown',
  'settled',
  'failed',
  'refund_due',
  'refunded',
] as const

/** What a facilitator said to an attempt; `none`: it gave no answer that can be trusted. */
export type SettlementAttempt =
  | { result: 'success'; transaction: string }
  | { result: 'refused'; reason: string }
  | { result: 'none'; reason: string }

/**
 * What the asset's contract says about an authorisation: that it has paid, or not. A void one was
 * cancelled or used for another transfer, and cannot pay any more.
 */
export type Usage = { used: true; transaction: string } | { used: false; isVoid?: boolean }

type Accepted = { payTo: string; amount: string }
type Move = { recipient: string; amount: string | bigint }

/** Whether a move of money is exactly the accepted one. */
export const isAccepted = ({ recipient, amount }: Move, accepted: Accepted): boolean =>
  BigInt(recipient) === BigInt(accepted.payTo) && BigInt(amount) === BigInt(accepted.amount)

/**
 * Judges an authorisation by the transfer that used it. Its payer may have signed another one with
 * the same nonce, so the use alone proves nothing.
 */
export const usageBy = (transfer: Move & { hash: string }, accepted: Accepted): Usage =>
  isAccepted(transfer, accepted)
    ? { used: true, transaction: transfer.hash }
    : { used: false, isVoid: true }

/** What follows: the final outcome, or to send the same authorisation again later. */
export type SettlementOutcome =
  | { state: 'settled'; transaction: string }
  | { state: 'failed'; error: string }
  | { state: 'unknown'; error: string }

type Looked = {
  attempt: SettlementAttempt
  usage: Usage
  /** attempts so far, this one included */
  attempts: number
  /** whether the authorisation can no longer be used, by a clock that may be late */
  isLapsed: boolean
}

/**
 * Judges an attempt by what the contract says afterwards. Money that has moved is settled whatever
 * the facilitator said. Money that has not moved is only final once it cannot move any more: at a
 * refusal of the first attempt, before which nothing was sent, or once the authorisation is void or
 * has lapsed.
 */
export function outcomeOf({ attempt, usage, attempts, isLapsed }: Looked): SettlementOutcome {
  if (usage.used) return { state: 'settled', transaction: usage.transaction }
  if (usage.isVoid) return { state: 'failed', error: 'authorization_void' }
  const error = attempt.result === 'success' ? 'not_found_on_chain' : attempt.reason
  const isFinal = isLapsed || (attempts === 1 && attempt.result === 'refused')
  return { state: isFinal ? 'failed' : 'unknown', error }
}

/** Reasons of a facilitator that has sent nothing: it found the authorisation wanting. */
export const isRefusal = (reason: string): boolean =>
  /^(invalid|unsupported|insufficient)_/.test(reason) &&
  !/transaction|settle|transfer_/.test(reason)

/** Past `validBefore` by this much an authorisation is dead, however late a block is. */
const LAPSE_MARGIN_MS = 60_000

/** Whether an authorisation cannot move money any more. */
export const isLapsed = (validBefore: Date, at: Date): boolean =>
  at.getTime() > validBefore.getTime() + LAPSE_MARGIN_MS
