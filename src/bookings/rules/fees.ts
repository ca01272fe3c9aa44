/** What the network earns on a booking: base and amount in integer minor units of `currency`. */
export type Fee = { base_minor: number; amount_minor: number; currency: string; pct: number }

/**
 * The fee of a booking: `pct` per cent of spend per guest × party size, rounded half up once. `pct`
 * has at most two decimals, so integers are exact.
 */
export function feeFor(
  spendPerGuestMinor: number,
  partySize: number,
  pct: number,
  currency: string,
): Fee {
  const base_minor = spendPerGuestMinor * partySize
  const scaled = BigInt(base_minor) * BigInt(Math.round(pct * 100))
  return { base_minor, amount_minor: Number((scaled + 5_000n) / 10_000n), currency, pct }
}
