import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HOUR_MS } from '../../src/base/durations.ts'
import { afterFailure, closedBreaker, gapMs, isOpen } from '../../src/webhooks/rules/breaker.ts'
import {
  MAX_TRIES,
  nextAttemptAt,
  retryAfterMs,
  retryDelaysMs,
  shareOf,
} from '../../src/webhooks/rules/retry-schedule.ts'
import { judge } from '../../src/webhooks/rules/verdict.ts'

const at = new Date('2026-11-22T00:00:00Z')
const share = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

/** All attempts of a delivery whose endpoint always fails, the first at `at`. */
function triesOf(shares: readonly number[]): Date[] {
  const giveUpAt = new Date(at.getTime() + 90 * HOUR_MS)
  const tries = [at]
  for (const one of shares) {
    const next = nextAttemptAt(
      { tries: tries.length, give_up_at: giveUpAt },
      tries.at(-1) ?? at,
      one,
    )
    if (!next) return tries
    tries.push(next)
  }
  return tries
}

describe('the schedule of a delivery', () => {
  test('is at once, 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h: about 75 h', () => {
    const tries = triesOf(Array(20).fill(0.5))
    expect(tries).toHaveLength(MAX_TRIES)
    const last = (tries.at(-1)?.getTime() ?? 0) - at.getTime()
    expect(Math.round(last / HOUR_MS)).toBe(76)
    expect(retryDelaysMs.map((ms) => ms / 1000)).toEqual([
      5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400,
    ])
  })

  test('stays within 20 % of each delay and within 90 hours, whatever the jitter', () => {
    fc.assert(
      fc.property(fc.array(share, { minLength: 9, maxLength: 9 }), (shares) => {
        const tries = triesOf(shares)
        expect(tries.length).toBe(MAX_TRIES)
        tries.slice(1, -1).forEach((time, index) => {
          const delay = time.getTime() - (tries[index]?.getTime() ?? 0)
          const wanted = retryDelaysMs[index] ?? 0
          expect(Math.abs(delay - wanted)).toBeLessThanOrEqual(wanted * 0.2 + 1)
        })
        expect((tries.at(-1)?.getTime() ?? 0) - at.getTime()).toBeLessThan(90 * HOUR_MS)
      }),
    )
  })

  test('ends when the delivery expires, however few attempts were made', () => {
    const giveUpAt = new Date(at.getTime() + 30_000)
    expect(nextAttemptAt({ tries: 2, give_up_at: giveUpAt }, at, 0.5)).toBeNull()
  })

  test('jitters each attempt deterministically by delivery', () => {
    fc.assert(
      fc.property(fc.integer(), fc.uuid(), (seed, id) => {
        const one = shareOf(seed, id)
        expect(one).toBe(shareOf(seed, id))
        expect(one).toBeGreaterThanOrEqual(0)
        expect(one).toBeLessThan(1)
      }),
    )
    const shares = Array.from({ length: 1_000 }, (_, nth) => shareOf(7, `delivery/${nth}`))
    const tenths = Array.from({ length: 10 }, (_, tenth) =>
      shares.filter((one) => Math.floor(one * 10) === tenth),
    )
    for (const tenth of tenths) expect(tenth.length).toBeGreaterThan(60)
  })
})

test.each([
  ['120', 120_000],
  ['0', 0],
  [' 5 ', 5_000],
  ['999999999', 24 * HOUR_MS],
  ['Sun, 22 Nov 2026 00:01:00 GMT', 60_000],
  ['Sat, 21 Nov 2026 00:01:00 GMT', 0],
  ['soon', null],
  ['-5', null],
  ['1.5', null],
  ['', null],
  [undefined, null],
])('Retry-After: %s is %s ms', (text, ms) => {
  expect(retryAfterMs(text, at)).toBe(ms)
})

describe('the circuit breaker', () => {
  test('opens after five consecutive failures, then probes from 5 s, doubling to 5 min', () => {
    let breaker = closedBreaker
    const seen: boolean[] = []
    for (let failure = 0; failure < 5; failure += 1) {
      seen.push(isOpen(breaker))
      breaker = afterFailure(breaker, false)
    }
    expect([...seen, isOpen(breaker)]).toEqual([false, false, false, false, false, true])
    const gaps: number[] = []
    for (let probe = 0; probe < 8; probe += 1) {
      gaps.push(gapMs(breaker, 0.5) / 1000)
      breaker = afterFailure(breaker, true)
    }
    expect(gaps).toEqual([5, 10, 20, 40, 80, 160, 300, 300])
  })

  test('probes endpoints that failed together at different times, within 20 % of the gap', () => {
    const opened = { failures: 5, probes: 0 }
    expect([gapMs(opened, 0), gapMs(opened, 1)]).toEqual([4_000, 6_000])
  })

  test('does not count requests in flight at its opening as probes', () => {
    let breaker = closedBreaker
    for (let failure = 0; failure < 20; failure += 1) breaker = afterFailure(breaker, false)
    expect(gapMs(breaker, 0.5)).toBe(5_000)
  })
})

describe('a response', () => {
  const delivery = { tries: 0, give_up_at: new Date(at.getTime() + 90 * HOUR_MS) }
  const of = (status: number, retryAfter: number | null = null) =>
    judge({ status, retryAfterMs: retryAfter }, delivery, at, 0.5)

  test('is a success only with a 2xx status', () => {
    for (let status = 200; status < 600; status += 1) {
      expect(of(status).attempt).toBe(status < 300 ? 'succeeded' : 'failed')
    }
  })

  test('of 413 ends the delivery, 410 holds it, and any other failure is retried', () => {
    expect(of(413)).toMatchObject({ delivery: 'failed', dueAt: null })
    expect(of(410)).toMatchObject({ delivery: 'pending', dueAt: at, failure: 'gone' })
    for (const status of [301, 400, 404, 429, 500, 503]) {
      expect(of(status)).toMatchObject({ delivery: 'pending', consumesAttempt: true })
    }
  })

  test('with Retry-After pauses the endpoint for 429 and 503 only', () => {
    expect(of(429, 60_000)).toMatchObject({ waitUntil: new Date(at.getTime() + 60_000) })
    expect(of(503, 60_000).dueAt).toEqual(new Date(at.getTime() + 60_000))
    expect(of(500, 60_000).waitUntil).toBeNull()
    expect(of(503, 1_000).dueAt?.getTime()).toBe(at.getTime() + 5_000)
  })

  test('that failed on our side consumes no attempt and does not count for the endpoint', () => {
    for (const failure of ['aborted', 'busy', 'internal']) {
      const verdict = judge({ failure, sent: false }, { ...delivery, tries: 9 }, at, 0.5)
      expect(verdict).toMatchObject({
        delivery: 'pending',
        consumesAttempt: false,
        reflectsEndpoint: false,
      })
    }
    expect(judge({ failure: 'aborted', sent: true }, delivery, at, 0.5).attempt).toBe('unknown')
  })

  test('after the tenth failure is not retried', () => {
    const verdict = judge({ failure: 'connect', sent: false }, { ...delivery, tries: 9 }, at, 0.5)
    expect(verdict).toMatchObject({ delivery: 'failed', rule: 'None: every attempt has failed.' })
  })
})
