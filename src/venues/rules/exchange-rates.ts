import rates from './exchange-rates.json' with { type: 'json' }

/**
 * The rounded price of one US dollar, as of November 2026. Fixed, so that a budget means the same
 * for every caller; answers that rely on it say so.
 */
const perUsd: Record<string, number> = rates

/** The value of one unit of a currency in another; undefined for an unknown currency. */
export function rateOf(from: string, to: string): number | undefined {
  const [one, other] = [perUsd[from], perUsd[to]]
  return one && other && other / one
}

const LARGE_NUMBERS = 1_000
/** Whether prices are so large that people leave out the thousands. */
export const saysThousands = (currency: string): boolean => (perUsd[currency] ?? 0) >= LARGE_NUMBERS
