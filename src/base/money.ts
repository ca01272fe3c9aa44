/** Who pays the network's fee. */
export const FEE_PAYER = 'your account, not the guest' as const
/** Who pays it with a saved card, for each booking. */
export const CARD_PAYER = 'your card, not the guest' as const
/** Who pays it in a sandbox. */
export const SANDBOX_PAYER = 'nobody: test account, no real money' as const
/** Who pays it at demo venues, where it is only shown. */
export const DEMO_PAYER = 'nobody: demo venue' as const
/** Who pays it by x402. */
export const WALLET_PAYER = 'your wallet, not the guest' as const
/** Who pays it by x402 at a demo venue that takes test money. */
export const TEST_PAYER = 'your wallet, in test money' as const
/** Who pays it there, before it is known who books. */
export const DEMO_OR_TEST_PAYER =
  'nobody with pro or a saved card, otherwise your wallet, in test money' as const

/** Everyone who may pay a fee. */
export const feePayers = [
  ...([FEE_PAYER, CARD_PAYER, DEMO_PAYER, WALLET_PAYER, TEST_PAYER] as const),
  ...([DEMO_OR_TEST_PAYER, SANDBOX_PAYER] as const),
] as const

/** Who would pay the fee of a slot; a booking says who pays its own. */
export function slotPayer(venue: { is_demo: boolean; takes_test_money: boolean }, isTest = false) {
  if (!venue.is_demo) return isTest ? SANDBOX_PAYER : FEE_PAYER
  return venue.takes_test_money ? DEMO_OR_TEST_PAYER : DEMO_PAYER
}

/** ISO 4217 exponents other than 2. `Intl` follows cash usage: 0 for rupiah, kip and kyat. */
const exponents: Record<number, readonly string[]> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '),
  3: 'BHD IQD JOD KWD LYD OMR TND'.split(' '),
  4: ['CLF', 'UYW'],
  // USDC in the ledger: ISO 4217 reserves codes beginning with X for private use
  6: ['XUC'],
}

/** The number of decimals of a currency. */
export const minorDigits = (currency: string): number =>
  Number(Object.entries(exponents).find(([, codes]) => codes.includes(currency))?.[0] ?? 2)

/** Converts an amount in whole units to minor units. */
export const toMinor = (amount: number, currency: string): number =>
  Math.round(amount * 10 ** minorDigits(currency))

/** Formats an amount in minor units for people: `IDR 250,000`, `SGD 3.85`. */
export function money(minor: number, currency: string, locale = 'en'): string {
  const { digits, whole, exact } = formatsOf(currency, locale)
  const isWhole = minor % 10 ** digits === 0
  return (isWhole ? whole : exact).format(minor / 10 ** digits).replaceAll('\u00a0', ' ')
}

type Formats = { digits: number; whole: Intl.NumberFormat; exact: Intl.NumberFormat }
const MAX_FORMATS = 200
const formats = new Map<string, Formats>()

/** Cached: creating a format takes 20 times as long as using it, and every slot shows an amount. */
function formatsOf(currency: string, locale: string): Formats {
  const key = `${locale} ${currency}`
  const cached = formats.get(key)
  if (cached) return cached
  const digits = minorDigits(currency)
  const format = (minimumFractionDigits: number) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      currencyDisplay: 'code',
      minimumFractionDigits,
      maximumFractionDigits: digits,
    })
  const created = { digits, whole: format(0), exact: format(digits) }
  if (formats.size === MAX_FORMATS) formats.clear()
  formats.set(key, created)
  return created
}
