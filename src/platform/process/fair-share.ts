/** The share of all places that is reserved for callers without one. */
const KEPT_SHARE = 0.25

/**
 * Whether a caller with `own` of `total` places gets another while `free` are left: the first as
 * long as there is one, others up to `share` of the free ones. So early callers get many, and late
 * ones still get one.
 */
export const mayTake = (
  own: number,
  { free, total, share }: { free: number; total: number; share: number },
): boolean => free > 0 && (own === 0 || own < (free - total * KEPT_SHARE) * share)
