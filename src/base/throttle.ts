/** At most `most` attempts per `windowSeconds`. */
export type ThrottleLimit = { name: string; most: number; windowSeconds: number }

/** Limits per account, and per address across all the accounts that use it. */
export type CallerThrottle = { byAccount: ThrottleLimit; byAddress: ThrottleLimit }

/** An action's limits per account and per address. */
export const callerThrottle = (
  action: string,
  windowSeconds: number,
  most: { account: number; address: number },
): CallerThrottle => ({
  byAccount: { name: `${action} by account`, most: most.account, windowSeconds },
  byAddress: { name: `${action} by address`, most: most.address, windowSeconds },
})

/**
 * The account against which limits count: a live account shares its limits with its sandboxes and
 * test clocks, which are accounts of their own.
 */
export type Limited = { id: string; live_account_id?: string | null }
export const limitedAs = ({ id, live_account_id }: Limited): string => live_account_id ?? id
