import fc from 'fast-check'
import { expect, test } from 'vitest'
import { feeFor } from '../../src/bookings/store/fees.ts'

test('a fee is rounded half up, once', () => {
  expect(feeFor(100, 2.5, 'SGD').amount_minor).toBe(3)
  expect(feeFor(99, 2.5, 'SGD').amount_minor).toBe(2)
  expect(feeFor(12_345, 10, 'KWD').amount_minor).toBe(1_230)
  expect(feeFor(12_350, 10, 'KWD').amount_minor).toBe(1_240)
  expect(feeFor(25_000_000 * 4, 2.5, 'IDR')).toEqual({
    base_minor: 100_000_000,
    amount_minor: 2_500_000,
    currency: 'IDR',
    pct: 2.5,
  })
})

test('a fee is never off by more than half a minor unit, despite floating point', () => {
  const money = fc.integer({ min: 0, max: 10_000_000_000 })
  const party = fc.integer({ min: 1, max: 1000 })
  const hundredths = fc.integer({ min: 0, max: 10_000 })
  fc.assert(
    fc.property(money, party, hundredths, (spend, size, pct) => {
      const { amount_minor } = feeFor(spend * size, pct / 100, 'IDR')
      const exact = BigInt(spend) * BigInt(size) * BigInt(pct)
      const error = BigInt(amount_minor) * 10_000n - exact
      expect(error > -5_000n && error <= 5_000n).toBe(true)
    }),
  )
})
