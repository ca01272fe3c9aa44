import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookingStatuses } from '../../src/base/booking-status.ts'
import { bookingsByState } from '../../src/web/charts/bookings-by-state.ts'
import { deliveryLatency, deliveryOutcomes } from '../../src/web/charts/delivery-charts.ts'
import { HEIGHT, inner, WIDTH } from '../../src/web/charts/frame.ts'
import { requestsPerDay } from '../../src/web/charts/requests-per-day.ts'
import { grouped } from '../../src/web/page/components.ts'
import type { Html } from '../../src/web/page/html.ts'

const dayAt = (n: number) => new Date(Date.UTC(2026, 10, 1 + n)).toISOString()

const days = fc
  .array(fc.record({ ok: fc.nat(100_000), bad: fc.nat(1_000) }), { minLength: 1, maxLength: 90 })
  .map((counts) =>
    counts.map(({ ok, bad }, n) => ({
      day: dayAt(n).slice(0, 10),
      calls: ok + bad,
      by_code: { ok, quota_exceeded: bad },
    })),
  )

const ms = fc.option(fc.integer({ min: 1, max: 15_000 }))
const spans = fc
  .array(fc.record({ succeeded: fc.nat(9_999), failed: fc.nat(99), p50_ms: ms, p95_ms: ms }), {
    minLength: 1,
    maxLength: 48,
  })
  .map((some) => some.map((span, n) => ({ at: dayAt(n), ...span })))

const numberOf = (attributes: string, name: string) =>
  Number(new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1])

type Rect = { tone: string; x: number; y: number; width: number; height: number }

const rectsOf = ({ markup }: Html): Rect[] =>
  [...markup.matchAll(/<g class="(ok|bad)">(.*?)<\/g>/gs)].flatMap(([, tone = '', group = '']) =>
    [...group.matchAll(/<rect([^>]*)>/g)].map(([, rect = '']) => ({
      tone,
      x: numberOf(rect, 'x'),
      y: numberOf(rect, 'y'),
      width: numberOf(rect, 'width'),
      height: numberOf(rect, 'height'),
    })),
  )

const rowsOf = ({ markup }: Html) =>
  [...markup.matchAll(/<tr>(.*?)<\/tr>/gs)]
    .map(([, row = '']) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, cell = '']) => cell))
    .filter((cells) => cells.length > 0)

/** Without the empty days before the first call, but at least a week. */
function sinceFirstCall<D extends { calls: number }>(given: D[]): D[] {
  const [first, ...later] = given
  return first?.calls === 0 && later.length >= 7 ? sinceFirstCall(later) : given
}

describe('for any figures', () => {
  test('bars stay inside the chart, beside and on top of each other', () => {
    fc.assert(
      fc.property(days, (given) => {
        const rects = rectsOf(requestsPerDay('r', given))
        for (const { x, y, width, height } of rects) {
          expect(x).toBeGreaterThanOrEqual(inner.left)
          expect(x + width).toBeLessThanOrEqual(inner.right + 0.2)
          expect(y).toBeGreaterThanOrEqual(inner.top)
          expect(y + height).toBeLessThanOrEqual(inner.bottom + 0.2)
          expect(height).toBeGreaterThanOrEqual(0)
        }
        const refused = rects.filter(({ tone }) => tone === 'bad')
        for (const top of refused) {
          const below = rects.find(({ tone, x }) => tone === 'ok' && x === top.x)
          if (below) expect(Math.abs(top.y + top.height - below.y)).toBeLessThan(0.25)
        }
      }),
    )
  })

  test('the height of a bar is its share of the highest', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000 }), fc.nat(100_000), (most, other) => {
        const given = [most, Math.min(most, other)].map((ok, n) => ({
          day: dayAt(n).slice(0, 10),
          calls: ok,
          by_code: { ok },
        }))
        const [first, second] = rectsOf(requestsPerDay('r', given))
        const share = (second?.height ?? 0) / (first?.height ?? 1)
        expect(Math.abs(share - Math.min(most, other) / most)).toBeLessThan(0.01)
      }),
    )
  })

  test('the table has every figure, newest first', () => {
    fc.assert(
      fc.property(days, (given) => {
        expect(rowsOf(requestsPerDay('r', given))).toEqual(
          sinceFirstCall(given)
            .map(({ day, calls, by_code: { ok } }) => [
              day,
              ...[calls, ok, calls - ok].map(grouped),
            ])
            .toReversed(),
        )
      }),
    )
  })

  test('curves have a point for each answer, inside the chart, and gaps elsewhere', () => {
    fc.assert(
      fc.property(spans, (given) => {
        const { markup } = deliveryLatency('l', given)
        const dots = [...markup.matchAll(/<circle([^>]*)>/g)].map(([, dot = '']) => dot)
        const answers = given.flatMap(({ p50_ms, p95_ms }) =>
          [p50_ms, p95_ms].filter((one) => one !== null),
        )
        expect(dots).toHaveLength(answers.length)
        for (const dot of dots) {
          expect(numberOf(dot, 'cx')).toBeGreaterThanOrEqual(inner.left)
          expect(numberOf(dot, 'cx')).toBeLessThanOrEqual(WIDTH)
          expect(numberOf(dot, 'cy')).toBeGreaterThanOrEqual(inner.top)
          expect(numberOf(dot, 'cy')).toBeLessThanOrEqual(HEIGHT)
        }
        expect(markup).not.toContain('NaN')
      }),
    )
  })

  test('no coordinate is NaN', () => {
    const counts = fc.dictionary(fc.constantFrom(...bookingStatuses), fc.nat(1e9))
    fc.assert(
      fc.property(counts, spans, days, (byStatus, some, given) => {
        const drawn = [
          bookingsByState('b', byStatus),
          deliveryOutcomes('d', some),
          requestsPerDay('r', given),
        ]
        for (const { markup } of drawn) expect(markup).not.toMatch(/NaN|Infinity|undefined/)
      }),
    )
  })
})

test('a chart describes its content to screen readers', () => {
  const given = [
    { day: '2026-11-20', calls: 10, by_code: { ok: 9, plan_required: 1 } },
    { day: '2026-11-21', calls: 30, by_code: { ok: 30 } },
  ]
  const { markup } = requestsPerDay('calls', given)
  expect(markup).toContain('role="img" aria-labelledby="calls-title calls-desc"')
  expect(markup).toContain('<title id="calls-title">Requests per day</title>')
  expect(markup).toContain(
    '<desc id="calls-desc">40 requests in 2 days, 2.5 % refused. Busiest day: 21 Nov (30).</desc>',
  )
})

test('days without requests have an axis and no bar', () => {
  const chart = requestsPerDay('r', [{ day: '2026-11-20', calls: 0, by_code: {} }])
  expect(rectsOf(chart)).toEqual([])
  expect(chart.markup).toContain('No requests in one day.')
})

test('hours are labelled by the hour, days by the day', () => {
  const at = (hour: number) => `2026-11-21T${String(hour).padStart(2, '0')}:00:00.000Z`
  const of = (start: string) => ({ at: start, succeeded: 3, failed: 1, p50_ms: 40, p95_ms: 90 })
  expect(deliveryOutcomes('d', [of(at(13)), of(at(14))]).markup).toContain(
    '8 attempts since 21 Nov 13:00, 75 % succeeded.',
  )
  expect(deliveryOutcomes('d', [of(dayAt(0)), of(dayAt(1))]).markup).toContain('since 1 Nov,')
})

test('a curve is interrupted where nothing was answered', () => {
  const of = (n: number, p50_ms: number | null) => ({
    at: dayAt(n),
    succeeded: 0,
    failed: 0,
    p50_ms,
    p95_ms: p50_ms,
  })
  const { markup } = deliveryLatency('l', [of(0, 5), of(1, 6), of(2, null), of(3, 7), of(4, 8)])
  const [path = ''] = [...markup.matchAll(/ d="([^"]*)"/g)].map(([, d = '']) => d)
  expect(path.match(/M/g)).toHaveLength(2)
})

test('bookings are listed in lifecycle order, with lost ones marked', () => {
  const chart = bookingsByState('b', { cancelled: 2, confirmed: 5, held: 1 })
  expect(rectsOf(chart).map(({ tone, width }) => [tone, width > 0])).toEqual([
    ['ok', true],
    ['ok', true],
    ['bad', true],
  ])
  expect(rowsOf(chart)).toEqual([
    ['held', '1'],
    ['confirmed', '5'],
    ['cancelled', '2'],
  ])
})
