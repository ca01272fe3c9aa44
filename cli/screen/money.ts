/** An amount in minor units of an ISO 4217 currency, as in `IDR 14,500.00`. */
export function money(minor: number, currency: string): string {
  const format = new Intl.NumberFormat('en', {
    style: 'currency',
    currency,
    currencyDisplay: 'code',
  })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(minor / 10 ** digits).replace('\u00a0', ' ')
}
