import { expect, test } from 'vitest'
import { readPrice } from '../../src/venues/search/price-lexicon.ts'

test.each([
  ['massage in canggu under 300k', 'at most 300000'],
  ['pijat di bawah 300rb di sanur', 'at most 300000'],
  ['dinner for 2 max 50 usd in ubud', 'at most 50 USD'],
  ['dinner below idr 500,000 per person', 'at most 500000 IDR'],
  ['spa maksimal rp 1,5 juta', 'at most 1500000 IDR'],
  ['spa less than rp 250.000', 'at most 250000 IDR'],
  ['lunch under $20 in singapore', 'at most 20 $'],
  ['lunch under s$20', 'at most 20 SGD'],
  ['sushi with a budget of 400 thousand', 'at most 400000'],
  ['dinner in bangsar up to 80 ringgit', 'at most 80 MYR'],
  ['dinner under 40 euros', 'at most 40 EUR'],
  ['massage 200 ribu', 'at most 200000'],
  ['massage 300k budget', 'at most 300000'],
  ['dinner between 100k and 300k', 'at most 300000'],
  ['spa under 50', 'at most 50'],
  ['cheap eats in seminyak', 'cheap'],
  ['pijat murah di sanur', 'cheap'],
  ['facial in seminyak not expensive', 'cheap'],
  ['spa yang tidak mahal', 'cheap'],
  ['budget friendly sushi', 'cheap'],
  ['mid-range restaurant', 'mid-range'],
  ['upscale bar in jakarta', 'upscale'],
  ['spa mewah di nusa dua', 'upscale'],
])('%j asks for %s', (text, expected) => {
  const { price } = readPrice(text)
  const said =
    price?.is === 'budget'
      ? ['at most', price.amount, price.currency].filter((part) => part !== null).join(' ')
      : price?.level
  expect(said).toBe(expected)
})

test.each([
  'table for 10',
  'gym under 5 km away',
  'massage under 60 minutes',
  'max 8 people',
  'up to 6 guests',
  'a table for up to 12',
  'untuk 4 dong',
  'fine dining in ubud',
  'omakase at 19.30',
  'below the 12th floor',
  'tomorrow before 10',
])('%j says nothing about a price', (text) => {
  expect(readPrice(text)).toEqual({ price: null, rest: text })
})
