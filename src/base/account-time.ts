/** The account's test clock, if any, runs this many milliseconds ahead of real time. */
export type OnClock = { aheadMs?: number }

/** The account of a workflow; for a sandbox, `liveAccountId` names its owner. */
export type OfAccount = { accountId: string; liveAccountId?: string }

/** The account whose turn a workflow's work takes: sandboxes and test clocks share one. */
export const turnOf = ({ accountId, liveAccountId = accountId }: OfAccount): string => liveAccountId

/** The signal that the account's test clock has moved; its argument is the lead. */
export const CLOCK_ADVANCED_SIGNAL = 'clockAdvanced'

/** The time of an account. */
export const timeOf = ({ aheadMs = 0 }: OnClock): Date => new Date(Date.now() + aheadMs)

/** A workflow's instant on its account's clock; a test clock may have moved since. */
export const timeAt = (account: OnClock, at: number): Date =>
  account.aheadMs === undefined ? new Date(at) : timeOf(account)

/** A workflow's instant, but never long past: a retry gets that of the first attempt. */
export const notBefore = (account: OnClock, at: number): Date =>
  new Date(Math.max(timeAt(account, at).getTime(), timeOf(account).getTime()))
