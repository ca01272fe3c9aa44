import { expect, test } from 'vitest'
import { Refusal } from '../../src/base/errors.ts'
import { createMeter } from '../../src/doors/guards/account-meter.ts'

const at = new Date('2026-12-24T10:00:00Z')
const later = (ms: number) => new Date(at.getTime() + ms)

function codeOf(begin: () => unknown): string {
  try {
    begin()
    return 'ok'
  } catch (error) {
    return error instanceof Refusal ? error.data.code : String(error)
  }
}

test('the meter permits a burst, then a number of calls per second, for each account', () => {
  const begin = createMeter('account', { perSecond: 10, inFlight: 100 })
  const call = (account: string, when: Date) => codeOf(() => begin(account, when).end())
  const first = Array.from({ length: 21 }, () => call('one', at))
  expect(first).toEqual([...Array(20).fill('ok'), 'account_rate_limited'])
  expect(call('other', at)).toBe('ok')
  expect(call('one', later(99))).toBe('account_rate_limited')
  expect([call('one', later(100)), call('one', later(100))]).toEqual(['ok', 'account_rate_limited'])
  expect(call('one', later(-5_000))).toBe('account_rate_limited')
})

test('the meter counts calls that have not ended', () => {
  const begin = createMeter('account', { perSecond: 100, inFlight: 2 })
  const [{ end }] = [begin('one', at), begin('one', at)]
  expect(codeOf(() => begin('one', at))).toBe('too_many_in_flight')
  end()
  expect(codeOf(() => begin('one', at))).toBe('ok')
  expect(codeOf(() => begin('one', at))).toBe('too_many_in_flight')
})

test('costly work is paid for afterwards, with at most a burst of debt', () => {
  const begin = createMeter('account', { perSecond: 10, inFlight: 100 })
  const call = (when: Date) => codeOf(() => begin('one', when))
  begin('one', at).charge(1_000)
  expect(call(at)).toBe('account_rate_limited')
  expect(call(later(2_000))).toBe('account_rate_limited')
  expect(call(later(2_200))).toBe('ok')
})
