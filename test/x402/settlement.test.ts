import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assetText, toAssetAmount } from '../../src/x402/rules/amount.ts'
import {
  isLapsed,
  isRefusal,
  outcomeOf,
  type SettlementAttempt,
  type Usage,
} from '../../src/x402/rules/settlement.ts'

const attempts: fc.Arbitrary<SettlementAttempt> = fc.oneof(
  fc.record({ result: fc.constant('success' as const), transaction: fc.string() }),
  fc.record({ result: fc.constant('refused' as const), reason: fc.string() }),
  fc.record({ result: fc.constant('none' as const), reason: fc.string() }),
)
const usages: fc.Arbitrary<Usage> = fc.oneof(
  fc.record({ used: fc.constant(true as const), transaction: fc.string() }),
  fc.record({ used: fc.constant(false as const) }),
  fc.record({ used: fc.constant(false as const), isVoid: fc.constant(true) }),
)
const looked = fc.record({
  attempt: attempts,
  usage: usages,
  attempts: fc.integer({ min: 1, max: 50 }),
  isLapsed: fc.boolean(),
})

test('a transfer counts as settled, whatever the facilitator said; nothing else does', () => {
  fc.assert(
    fc.property(looked, (one) => {
      expect(outcomeOf(one).state === 'settled').toBe(one.usage.used)
    }),
  )
})

test('a payment without a transfer fails if, and only if, none can follow', () => {
  fc.assert(
    fc.property(looked, (one) => {
      if (one.usage.used) return
      const isRefused = one.attempts === 1 && one.attempt.result === 'refused'
      const isDead = one.usage.isVoid === true || one.isLapsed || isRefused
      expect(outcomeOf(one).state).toBe(isDead ? 'failed' : 'unknown')
    }),
  )
})

test('an authorisation expires a minute after its time, not before', () => {
  const until = new Date('2026-12-24T12:00:00Z')
  expect(isLapsed(until, new Date('2026-12-24T12:01:00Z'))).toBe(false)
  expect(isLapsed(until, new Date('2026-12-24T12:01:01Z'))).toBe(true)
})

test('a reason that could follow a broadcast is not a refusal', () => {
  const ambiguous = ['invalid_transaction_state', 'settlement_pending', 'unexpected_settle_error']
  for (const reason of ambiguous) expect([reason, isRefusal(reason)]).toEqual([reason, false])
  for (const reason of ['insufficient_funds', 'invalid_exact_evm_payload_signature']) {
    expect([reason, isRefusal(reason)]).toEqual([reason, true])
  }
})

test('a price is rounded up by less than the smallest unit, and is never zero', () => {
  const rate = fc
    .tuple(fc.integer({ min: 1, max: 99_999 }), fc.integer({ min: 0, max: 9_999 }))
    .map(([whole, part]) => `${whole}.${String(part).padStart(4, '0')}`)
  const minor = fc.integer({ min: 0, max: 10 ** 12 })
  fc.assert(
    fc.property(minor, rate, (price, one) => {
      const amount = toAssetAmount(price, 'IDR', one)
      const scaled = BigInt(one.replace('.', ''))
      const exact = BigInt(price) * 10n ** 10n
      expect(amount).toBeGreaterThan(0n)
      expect(amount * scaled * 100n).toBeGreaterThanOrEqual(exact)
      if (amount > 1n) expect((amount - 1n) * scaled * 100n).toBeLessThan(exact)
    }),
  )
  expect(assetText(390_625n)).toBe('0.390625 USDC')
  expect(assetText(2_500_000n)).toBe('2.50 USDC')
})
