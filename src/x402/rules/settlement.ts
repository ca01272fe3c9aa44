/** A payment's states. `unknown`: sent for settlement; its outcome is being looked up. */
export const paymentStates = [
  'verified',
  'settling',
  'unknown',
  'settled',
  'failed',
  'refund_due',
  'refunded',
] as const

/** The facilitator's answer to an attempt; `none`: no trustworthy answer. */
export type SettlementAttempt =
  | { result: 'success'; transaction: string }
  | { result: 'refused'; reason: string }
  | { result: 'none'; reason: string }

/**
 * The state of an authorisation in the asset's contract. A void one was cancelled or used for
 * another transfer, and can no longer pay.
 */
export type Usage = { used: true; transaction: string } | { used: false; isVoid?: boolean }

type Accepted = { payTo: string; amount: string }
type Move = { recipient: string; amount: string | bigint }

/** Whether a transfer matches the accepted terms exactly. */
export const isAccepted = ({ recipient, amount }: Move, accepted: Accepted): boolean =>
  BigInt(recipient) === BigInt(accepted.payTo) && BigInt(amount) === BigInt(accepted.amount)

/**
 * Which use of the authorisation a transfer proves. Use of the nonce alone proves nothing, because
 * the payer may have signed another authorisation with it.
 */
export const usageBy = (transfer: Move & { hash: string }, accepted: Accepted): Usage =>
  isAccepted(transfer, accepted)
    ? { used: true, transaction: transfer.hash }
    : { used: false, isVoid: true }

/** The final outcome, or another attempt with the same authorisation. */
export type SettlementOutcome =
  | { state: 'settled'; transaction: string }
  | { state: 'failed'; error: string }
  | { state: 'unknown'; error: string }

type Evidence = {
  attempt: SettlementAttempt
  usage: Usage
  /** attempts so far, including this one */
  attempts: number
  /** whether the authorisation has expired, with a margin for slow clocks */
  isLapsed: boolean
}

/**
 * The outcome of an attempt, judged by the contract's state afterwards. A transfer counts as
 * settled whatever the facilitator said. Without one, failure is final only when no transfer can
 * follow: after a refused first attempt, or once the authorisation is void or has lapsed.
 */
export function outcomeOf({ attempt, usage, attempts, isLapsed }: Evidence): SettlementOutcome {
  if (usage.used) return { state: 'settled', transaction: usage.transaction }
  if (usage.isVoid) return { state: 'failed', error: 'authorization_void' }
  const error = attempt.result === 'success' ? 'not_found_on_chain' : attempt.reason
  const isFinal = isLapsed || (attempts === 1 && attempt.result === 'refused')
  return { state: isFinal ? 'failed' : 'unknown', error }
}

/** Whether the facilitator refused the authorisation before sending anything. */
export const isRefusal = (reason: string): boolean =>
  /^(invalid|unsupported|insufficient)_/.test(reason) &&
  !/transaction|settle|transfer_/.test(reason)

/** Allows for late blocks: only after this can an expired authorisation no longer be used. */
const LAPSE_MARGIN_MS = 60_000

/** Whether an authorisation can no longer be used for a transfer. */
export const isLapsed = (validBefore: Date, at: Date): boolean =>
  at.getTime() > validBefore.getTime() + LAPSE_MARGIN_MS
