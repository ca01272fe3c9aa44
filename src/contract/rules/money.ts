/** ISO 4217 exponents other than 2. Those of `Intl` follow cash: 0 for rupiah, kip and kyat. */
const exponents: Record<number, readonly string[]> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
}

const minorDigits = (currency: string): number =>
  Number(Object.entries(exponents).find(([, codes]) => codes.includes(currency))?.[0] ?? 2)

/** Formats an amount in minor units for people: `IDR 250,000`, `SGD 3.85`. */
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
