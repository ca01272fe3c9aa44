import { type Words, wordsOf } from '../../base/languages.ts'
import { money } from '../../base/money.ts'
import type { Booking } from '../../contract/public.ts'

type BookedPrice = NonNullable<NonNullable<Booking['service']>['price']>
export type UnitPrice = Omit<BookedPrice, 'total'>

/** What a party pays: `IDR 10 per guest, IDR 20 for 2 guests, plus tax and service (++)`. */
export function priceWords(
  { amount_minor, up_to_minor, currency, per, taxes }: UnitPrice,
  size: number,
  { locale, say }: Words = wordsOf('en'),
): string {
  const text = (minor: number) => money(minor, currency, locale)
  const range = (times: number) => {
    const from = text(amount_minor * times)
    const to = text((up_to_minor ?? amount_minor) * times)
    return from === to ? from : say('price.range', { from, to })
  }
  const each = say(`price.${per}`, { amount: range(1) })
  const total = { price: each, total: range(size), guests: say('party', { guests: size }) }
  const all = per === 'guest' && size > 1 ? say('price.total', total) : each
  return taxes === undefined ? all : say(`price.${taxes}`, { price: all })
}
