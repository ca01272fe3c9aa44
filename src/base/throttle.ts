/** At most `most` attempts in `windowSeconds`. */
export type ThrottleLimit = { name: string; most: number; windowSeconds: number }

/** What an account may do, and what one address may do with all accounts that it uses. */
export type CallerThrottle = { byAccount: ThrottleLimit; byAddress: ThrottleLimit }

/** The limits of an action per account and per address. */
export const callerThrottle = (
  action: string,
  windowSeconds: number,
  most: { account: number; address: number },
): CallerThrottle => ({
  byAccount: { name: `${action} by account`, most: most.account, windowSeconds },
  byAddress: { name: `${action} by address`, most: most.address, windowSeconds },
})

/**
 * Whom limits count for: the sandboxes and test clocks of a live account, which are accounts of
 * their own, share with it what it may do.
 */
export type Limited = { id: string; live_account_id?: string | null }
export const limitedAs = ({ id, live_account_id }: Limited): string => live_account_id ?? id
