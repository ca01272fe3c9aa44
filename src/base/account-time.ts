/** An account that may have a test clock, which is this many milliseconds ahead of real time. */
export type OnClock = { aheadMs?: number }

/** The account of a workflow; `liveAccountId` is whose sandbox it is, if it is one. */
export type OfAccount = { accountId: string; liveAccountId?: string }

/** Whose turn the work of a workflow takes: sandboxes and test clocks share one. */
export const turnOf = ({ accountId, liveAccountId = accountId }: OfAccount): string => liveAccountId

/** The signal that the test clock of a workflow's account has moved, with how far it is ahead. */
export const CLOCK_ADVANCED_SIGNAL = 'clockAdvanced'

/** What time it is for an account. */
export const timeOf = ({ aheadMs = 0 }: OnClock): Date => new Date(Date.now() + aheadMs)

/** An instant of a workflow in the time of its account; a test clock may have moved since. */
export const timeAt = (account: OnClock, at: number): Date =>
  account.aheadMs === undefined ? new Date(at) : timeOf(account)

/** An instant of a workflow, but never long past: a retry gets the one of the first attempt. */
export const notBefore = (account: OnClock, at: number): Date =>
  new Date(Math.max(timeAt(account, at).getTime(), timeOf(account).getTime()))
