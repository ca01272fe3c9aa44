/** The share of all places reserved for callers who have none. */
const KEPT_SHARE = 0.25

/**
 * Whether a caller with `own` of `total` places gets another while `free` are left: a first one
 * always, more only up to `share` of the free places not reserved. Early callers get many, and late
 * ones still get one.
 */
export const mayTake = (
  own: number,
  { free, total, share }: { free: number; total: number; share: number },
): boolean => free > 0 && (own === 0 || own < (free - total * KEPT_SHARE) * share)
