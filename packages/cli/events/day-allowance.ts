/** Requests left on this UTC day. */
export type DayAllowance = { limit: number; remaining: number; resetSeconds: number }

/** Polling leaves a fifth of the daily requests unused, but at most this many. */
const MAX_KEPT = 20

/** Reads the header fields (draft-ietf-httpapi-ratelimit-headers-11); undefined without them. */
export function dayAllowanceOf(headers: Headers): DayAllowance | undefined {
  const policy = /"day";q=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')
  const quota = /"day";r=(\d+);t=(\d+)/.exec(headers.get('ratelimit') ?? '')
  if (!policy || !quota) return undefined
  return { limit: Number(policy[1]), remaining: Number(quota[1]), resetSeconds: Number(quota[2]) }
}

/** Why to stop after event `position` and leave requests for other uses; undefined to continue. */
export function whyToStop(day: DayAllowance | undefined, position: number): string | undefined {
  if (!day || day.remaining > Math.min(MAX_KEPT, Math.floor(day.limit / 5))) return undefined
  const hours = (day.resetSeconds / 3600).toFixed(1)
  return (
    `Stopped: of the ${day.limit} requests of this UTC day, the last ${day.remaining} are kept ` +
    `for you. The day ends in ${hours} h. Continue with --after ${position}.`
  )
}
