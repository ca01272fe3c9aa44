/** ISO 4217 exponents other than 2. Those of `Intl` are what is used in cash: rupiah, kip and kyat have none there. */
const exponents: Record<number, readonly string[]> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
}

/** How many digits of an amount in minor units are behind the point: 2 of `IDR`, none of `VND`. */
const minorDigits = (currency: string): number =>
  Number(Object.entries(exponents).find(([, codes]) => codes.includes(currency))?.[0] ?? 2)

/** An amount in minor units as people write it: `IDR 250,000`, `SGD 3.85`. */
export function money(minor: number, currency: string): string {
  const digits = minorDigits(currency)
  const isWhole = minor % 10 ** digits === 0
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
    minimumFractionDigits: isWhole ? 0 : digits,
    maximumFractionDigits: digits,
  })
  return format.format(minor / 10 ** digits).replaceAll('\u00a0', ' ')
}
