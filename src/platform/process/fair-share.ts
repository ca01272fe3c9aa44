/** Of all places, the part that is kept for those who have none. */
const KEPT_SHARE = 0.25

/**
 * Whether somebody who has `own` of `total` places gets one more while `free` are left: the first
 * as long as there is one, others up to `share` of what is free. So the first who come get many,
 * and those who come when the places run out still get one.
 */
export const mayTake = (
  own: number,
  { free, total, share }: { free: number; total: number; share: number },
): boolean => free > 0 && (own === 0 || own < (free - total * KEPT_SHARE) * share)
