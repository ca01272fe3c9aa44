import { counted } from '../../base/counted.ts'
import { fillText } from '../../base/fill-text.ts'
import { money } from '../../base/money.ts'
import type { Booking } from '../../contract/public.ts'

type BookedPrice = NonNullable<NonNullable<Booking['service']>['price']>
export type UnitPrice = Omit<BookedPrice, 'total'>

export const englishPrice = {
  range: '{from} to {to}',
  guest: '{amount} per guest',
  total: '{price}, {total} for {guests}',
  booking: '{amount} per booking',
  hour: '{amount} per hour',
  included: '{price}, tax and service included',
  excluded: '{price}, plus tax and service (++)',
}
const english = {
  locale: 'en',
  price: englishPrice,
  guests: (size: number) => counted(size, 'guest'),
}

/** What a party pays: `IDR 10 per guest, IDR 20 for 2 guests, plus tax and service (++)`. */
export function priceWords(
  { amount_minor, up_to_minor, currency, per, taxes }: UnitPrice,
  size: number,
  { locale, price, guests }: typeof english = english,
): string {
  const text = (minor: number) => money(minor, currency, locale)
  const range = (times: number) => {
    const from = text(amount_minor * times)
    const to = text((up_to_minor ?? amount_minor) * times)
    return from === to ? from : fillText(price.range, { from, to })
  }
  const each = fillText(price[per], { amount: range(1) })
  const total = { price: each, total: range(size), guests: guests(size) }
  const all = per === 'guest' && size > 1 ? fillText(price.total, total) : each
  return taxes === undefined ? all : fillText(price[taxes], { price: all })
}
