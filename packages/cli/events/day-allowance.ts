/** What is left of the requests that an account has on this UTC day. */
export type DayAllowance = { limit: number; remaining: number; resetSeconds: number }

/** A program that reads all the time leaves a fifth of them, and never needs to leave more than these. */
const MOST_KEPT = 20

/** As the header fields of an answer say it (draft-ietf-httpapi-ratelimit-headers-11); undefined when they do not. */
export function dayAllowanceOf(headers: Headers): DayAllowance | undefined {
  const policy = /"day";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
  const left = /"day";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
  if (!policy || !left) return undefined
  return { limit: Number(policy[1]), remaining: Number(left[1]), resetSeconds: Number(left[2]) }
}

/** Why to read no more after the event `position`, so that requests are left for what else is done with the account; undefined to go on. */
export function whyToStop(day: DayAllowance | undefined, position: number): string | undefined {
  if (!day || day.remaining > Math.min(MOST_KEPT, Math.floor(day.limit / 5))) return undefined
  const hours = (day.resetSeconds / 3600).toFixed(1)
  return (
    `Stopped: of the ${day.limit} requests that the account has on this UTC day the last ${day.remaining} are left to you. ` +
    `The day ends in ${hours} h. Go on with --after ${position}.`
  )
}
