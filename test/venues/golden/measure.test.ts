import { expect, test } from 'vitest'
import { dayOf, evaluateFacets } from './facets.ts'
import { type Answered, type AnsweredVenue, gradeOf, isHit } from './grade.ts'
import { measure, ndcg } from './measure.ts'
import type { GoldenQuery } from './queries.ts'
import { failureLines, kindLines, recordText, scoreTable, worsened } from './report.ts'
import { nothing, venue } from './sample.ts'

const TODAY = '2026-11-18'

const sushi = venue('sushi', ['sushi'])
const sushiBar = venue('sushi-bar', ['sushi'])
const ramen = venue('ramen', ['ramen'])
const far = venue('far-sushi', ['sushi'], { area: 'Amed' })
const catalogue = [sushi, sushiBar, ramen, far]

const query: GoldenQuery = {
  q: 'sushi in Canggu',
  kind: 'text',
  expect: { category: 'restaurant', area: 'Canggu' },
  first: { areas: ['Canggu'], any_tag: ['sushi'] },
  also: { areas: ['Canggu'] },
}
const answered = (venues: AnsweredVenue[], of: Partial<GoldenQuery> = {}): Answered => ({
  query: { ...query, ...of },
  venues,
  interpretation: { ...nothing, category: 'restaurant', area: 'canggu' },
})

test('a venue that meets the first condition is right, one that meets the other is fair', () => {
  expect(catalogue.map((one) => gradeOf(query, one))).toEqual([2, 2, 1, 0])
})

test('text is compared without case and accents, and all of its words must match', () => {
  const asks = (...text: string[]) => gradeOf({ ...query, first: { text } }, sushi)
  expect([asks('PHO', 'rolls'), asks('pho', 'laksa')]).toEqual([2, 1])
})

test('only a right first result is a hit, or none where nothing should be found', () => {
  expect([[sushi, ramen], [ramen, sushi], []].map((one) => isHit(answered(one)))).toEqual([
    true,
    false,
    false,
  ])
  expect([[], [sushi]].map((one) => isHit(answered(one, { first: null })))).toEqual([true, false])
})

test('nDCG weighs right as 3 and fair as 1, divided by the logarithm of the rank', () => {
  const ideal = 3 + 3 / Math.log2(3)
  expect(ndcg(answered([sushi, sushiBar]), catalogue)).toBeCloseTo(1, 10)
  expect(ndcg(answered([sushi]), catalogue)).toBeCloseTo(3 / ideal, 10)
  expect(ndcg(answered([far, sushi, sushiBar]), catalogue)).toBeCloseTo(
    (3 / Math.log2(3) + 1.5) / ideal,
    10,
  )
  expect(ndcg(answered([ramen, sushi, sushiBar]), catalogue)).toBeCloseTo(
    (1 + 3 / Math.log2(3) + 1.5) / (ideal + 0.5),
    10,
  )
  expect(ndcg(answered([]), catalogue)).toBe(0)
  expect(ndcg(answered([], { first: null }), catalogue)).toBe(1)
})

test('a facet is right if it is one of the alternatives, ignoring case and accents', () => {
  const judged = evaluateFacets(
    {
      query: {
        ...query,
        expect: {
          category: ['bar', 'spa'],
          area: 'canggu',
          party_size: 4,
          date: ['friday', 'today+1'],
          time: '19:00',
          widened: false,
        },
      },
      venues: [],
      interpretation: { ...nothing, area: 'Cánggu', date: '2026-11-20', time: '19:00:00' },
    },
    TODAY,
  )
  expect(Object.fromEntries(judged.map(({ facet, isRight }) => [facet, isRight]))).toEqual({
    category: false,
    area: true,
    party_size: false,
    date: true,
    time: true,
    widened: true,
  })
})

test.each([
  ['today', '2026-11-18'],
  ['today+13', '2026-12-01'],
  ['thursday', '2026-11-19'],
  ['wednesday', '2026-11-25'],
  ['2026-12-24', '2026-12-24'],
])('on a Wednesday, %s is %s', (day, expected) => {
  expect(dayOf(day, TODAY)).toBe(expected)
})

test('each metric scores only the queries that it is about', () => {
  const run = [
    answered([sushi, sushiBar]),
    answered([ramen, sushi], { kind: 'typo' }),
    answered([], { kind: 'typo', expect: { area: 'Ubud' } }),
    answered([], { kind: 'nonsense', first: null, expect: { category: null } }),
  ]
  const { ndcg_at_10, ...scores } = measure(run, catalogue, TODAY)
  expect(scores).toEqual({
    p_at_1: 2 / 4,
    zero_result_rate: 1 / 3,
    facet_accuracy: 4 / 6,
    typo_recall: 0,
    right: 1 / 4,
    honesty: 4 / 4,
  })
  const second = (1 + 3 / Math.log2(3)) / (3 + 3 / Math.log2(3) + 0.5)
  expect(ndcg_at_10).toBeCloseTo((1 + second + 0 + 1) / 4, 10)
})

const recorded = {
  p_at_1: 0.96,
  ndcg_at_10: 0.9,
  zero_result_rate: 0.02,
  facet_accuracy: 0.97,
  typo_recall: 0.9,
  right: 0.7,
  honesty: 0.8,
}

test('lower is worse, except for the zero-result rate', () => {
  expect(worsened(recorded, recorded)).toEqual([])
  expect(worsened({ ...recorded, p_at_1: 1, zero_result_rate: 0 }, recorded)).toEqual([])
  expect(worsened({ ...recorded, typo_recall: 0.89, zero_result_rate: 0.03 }, recorded)).toEqual([
    'zero_result_rate',
    'typo_recall',
  ])
  expect(worsened(recorded, undefined)).toEqual(Object.keys(recorded))
})

test('freshly recorded scores are no worse than measured', () => {
  const now = { ...recorded, p_at_1: 0.95685, zero_result_rate: 0.02124 }
  expect(worsened(now, JSON.parse(recordText({ tuned: now })).tuned)).toEqual([])
})

test('a price is part of the condition, and any of several conditions will do', () => {
  const dear = venue('dear', ['sushi'], { price_level: 4, spend: 900 })
  const asks = (first: GoldenQuery['first']) => gradeOf({ ...query, first }, dear)
  expect([asks({ max_price: 4 }), asks({ max_price: 3 }), asks({ min_price: 4 })]).toEqual([
    2, 1, 2,
  ])
  expect([asks({ max_spend: 899 }), asks({ max_spend: 900 })]).toEqual([1, 2])
  expect(asks([{ areas: ['Amed'] }, { any_tag: ['sushi'] }])).toBe(2)
})

test('several kinds may be named in any order', () => {
  const facetsOf = (category: 'bar' | 'spa', other: 'bar' | 'spa') => {
    const named = { ...nothing, category, other_categories: [other] }
    const asked = { ...query, expect: { categories: ['spa' as const, 'bar' as const] } }
    return evaluateFacets({ query: asked, venues: [], interpretation: named }, TODAY)
  }
  expect(facetsOf('bar', 'spa')).toEqual([{ facet: 'categories', got: 'bar,spa', isRight: true }])
  expect(facetsOf('spa', 'bar')).toEqual([{ facet: 'categories', got: 'bar,spa', isRight: true }])
  expect(facetsOf('bar', 'bar')).toEqual([{ facet: 'categories', got: 'bar', isRight: false }])
})

test('the scores by kind name no query', () => {
  const run = [answered([sushi]), answered([ramen]), answered([far], { kind: 'typo' })]
  expect(kindLines(run, TODAY)).toEqual([
    'text         right 1 of 2, honest 2',
    'typo         right 0 of 1, honest 0',
  ])
})

test('the report shows new and old scores, and why a query failed', () => {
  expect(scoreTable('tuned', recorded, undefined)).toMatch(/p_at_1 +0\.9600 +-/)
  const failed = answered([ramen, sushi], { expect: { area: 'Ubud', party_size: 4 } })
  expect(failureLines([failed, answered([sushi])], TODAY)).toEqual([
    'MISS text: sushi in Canggu → ramen [12] area="canggu"; party_size=null; party_size is null',
  ])
})
