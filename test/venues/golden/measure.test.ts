import { expect, test } from 'vitest'
import {
  type Answered,
  dayOf,
  gradeOf,
  isHit,
  type JudgedVenue,
  judgeFacets,
  measure,
  ndcg,
  type Understood,
} from './measure.ts'
import type { GoldenQuery } from './queries.ts'
import { failureLines, recordText, scoreTable, worsened } from './report.ts'

const TODAY = '2026-11-18'

const venue = (slug: string, tags: string[], area = 'Canggu'): JudgedVenue => ({
  slug,
  name: slug,
  category: 'restaurant',
  area,
  city: 'Bali',
  country: 'ID',
  description: 'Phở and fresh rolls',
  tags,
})
const sushi = venue('sushi', ['sushi'])
const sushiBar = venue('sushi-bar', ['sushi'])
const ramen = venue('ramen', ['ramen'])
const farSushi = venue('far-sushi', ['sushi'], 'Amed')
const catalogue = [sushi, sushiBar, ramen, farSushi]

const query: GoldenQuery = {
  q: 'sushi in Canggu',
  kind: 'text',
  expect: { category: 'restaurant', area: 'Canggu' },
  first: { areas: ['Canggu'], any_tag: ['sushi'] },
  also: { areas: ['Canggu'] },
}
const nothing: Understood = { category: null, area: null, widened: null }
const answered = (venues: JudgedVenue[], of: Partial<GoldenQuery> = {}): Answered => ({
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
  expect(ndcg(answered([farSushi, sushi, sushiBar]), catalogue)).toBeCloseTo(
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
  const judged = judgeFacets(
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

test('the report shows new and old scores, and why a query failed', () => {
  expect(scoreTable('tuned', recorded, undefined)).toMatch(/p_at_1 +0\.9600 +-/)
  const failed = answered([ramen, sushi], { expect: { area: 'Ubud', party_size: 4 } })
  expect(failureLines([failed, answered([sushi])], TODAY)).toEqual([
    'MISS text: sushi in Canggu → ramen [12] area="canggu" party_size=null',
  ])
})
