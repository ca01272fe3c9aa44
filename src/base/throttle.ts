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
