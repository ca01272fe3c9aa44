import { minorDigits } from '../../base/money.ts'
import type { Category } from '../../base/venue-kinds.ts'
import { rateOf } from './exchange-rates.ts'

/** Units per US dollar (rounded), the step between menu prices, and the ISO 4217 exponent. */
const currencies: Record<string, { perUsd: number; step: number; exponent: number }> = {
  IDR: { perUsd: 16_000, step: 5_000, exponent: 2 },
  SGD: { perUsd: 2.2, step: 1, exponent: 2 },
  MYR: { perUsd: 4.4, step: 1, exponent: 2 },
  THB: { perUsd: 35, step: 10, exponent: 2 },
  VND: { perUsd: 25_000, step: 5_000, exponent: 0 },
  KHR: { perUsd: 4_100, step: 1_000, exponent: 2 },
  LAK: { perUsd: 21_500, step: 5_000, exponent: 2 },
  PHP: { perUsd: 57, step: 10, exponent: 2 },
  MMK: { perUsd: 2_100, step: 500, exponent: 2 },
}

/** US dollars per guest at price levels 1 to 4. */
const dollars: Record<Category, readonly number[]> = {
  restaurant: [8, 18, 35, 80],
  bar: [8, 14, 22, 35],
  gym: [5, 9, 15, 25],
  spa: [15, 30, 55, 95],
}

/** The rate of a currency that is not listed above, with prices of one or two digits. */
function usualRate(currency: string) {
  const perUsd = rateOf('USD', currency)
  if (perUsd === undefined) return undefined
  const step = Math.max(1, 10 ** Math.floor(Math.log10(perUsd)))
  return { perUsd, step, exponent: minorDigits(currency) }
}

/** Expected spend per guest in minor units; undefined for an unknown currency. */
export function averageCheck(
  category: Category,
  priceLevel: number,
  currency: string,
): number | undefined {
  const rate = currencies[currency] ?? usualRate(currency)
  const usd = dollars[category][priceLevel - 1]
  if (!rate || !usd) return undefined
  const { perUsd, step, exponent } = rate
  return Math.round((usd * perUsd) / step) * step * 10 ** exponent
}
