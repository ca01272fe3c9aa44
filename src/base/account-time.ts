/** How many milliseconds the account's test clock, if any, runs ahead of real time. */
export type OnClock = { aheadMs?: number }

/** A workflow's account; for a sandbox, `liveAccountId` is its owner. */
export type OfAccount = { accountId: string; liveAccountId?: string }

/** The account whose turn a workflow uses; sandboxes and test clocks share their owner's turn. */
export const turnOf = ({ accountId, liveAccountId = accountId }: OfAccount): string => liveAccountId

/** The signal that the account's test clock has moved; its argument is the offset. */
export const CLOCK_ADVANCED_SIGNAL = 'clockAdvanced'

/** An account's time. */
export const timeOf = ({ aheadMs = 0 }: OnClock): Date => new Date(Date.now() + aheadMs)

/** A workflow's instant on its account's clock; a test clock may have moved since. */
export const timeAt = (account: OnClock, at: number): Date =>
  account.aheadMs === undefined ? new Date(at) : timeOf(account)

/** A workflow's instant, or now if later, because a retry gets the first attempt's instant. */
export const notBefore = (account: OnClock, at: number): Date =>
  new Date(Math.max(timeAt(account, at).getTime(), timeOf(account).getTime()))
