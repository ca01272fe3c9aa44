import { Temporal } from 'temporal-polyfill'
import { plainText } from '../../../src/base/plain-text.ts'
import { type Answered, gradeOf, isHit, type JudgedVenue, type Understood } from './grade.ts'
import { liesOf } from './honesty.ts'
import type { Facets } from './queries.ts'

const DEPTH = 10

/**
 * Normalized discounted cumulative gain of the first ten, with gain 2^grade − 1 and discount
 * log2(rank + 1). The ideal list begins with every venue that would be right as the first result;
 * leaving out venues that are acceptable only further down costs nothing.
 */
export function ndcg(answered: Answered, catalogue: readonly JudgedVenue[]): number {
  const { query, venues } = answered
  if (query.first === null) return isHit(answered) ? 1 : 0
  const shown = venues.slice(0, DEPTH).map((venue) => gradeOf(query, venue))
  const right = catalogue.map((venue) => gradeOf(query, venue)).filter((grade) => grade === 2)
  const ideal = gain([...right, ...shown.filter((grade) => grade === 1)].slice(0, DEPTH))
  return ideal === 0 ? 0 : gain(shown) / ideal
}

const gain = (grades: readonly number[]): number =>
  grades.reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)

/** A query's expected facets, and whether `interpretation` has each right; `today` is local. */
export function evaluateFacets(
  { query, interpretation }: Answered,
  today: string,
): { facet: keyof Facets; got: unknown; isRight: boolean }[] {
  const { category, area, party_size, date, time, widened, price, assumed } = query.expect
  const judge = <T>(facet: keyof Facets, wanted: T | readonly T[] | undefined, got: unknown) => {
    if (wanted === undefined) return []
    const accepted = Array.isArray(wanted) ? wanted : [wanted]
    return [{ facet, got, isRight: accepted.some((one) => same(one, got)) }]
  }
  const dates =
    date === undefined ? undefined : [date].flat().map((one) => one && dayOf(one, today))
  return [
    ...judge('category', category, interpretation.category),
    ...judge('area', area, interpretation.area),
    ...judge('party_size', party_size, interpretation.party_size),
    ...judge('date', dates, interpretation.date),
    ...judge('time', time, interpretation.time?.slice(0, 5)),
    ...judge('widened', widened, interpretation.widened !== null),
    ...judge('price', price, interpretation.price != null),
    ...judge('assumed', assumed, interpretation.assumed != null),
    ...judge('categories', query.expect.categories?.toSorted().join(), kindsOf(interpretation)),
  ]
}

const kindsOf = ({ category, other_categories = [] }: Understood): string =>
  [...new Set([category, ...other_categories])].toSorted().join()

const same = (wanted: unknown, got: unknown): boolean =>
  typeof wanted === 'string' && typeof got === 'string'
    ? plainText(wanted) === plainText(got)
    : wanted === (got ?? null)

const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

/** The date of `today`, `today+2` or `friday` (the first after today); dates stay unchanged. */
export function dayOf(day: string, today: string): string {
  const from = Temporal.PlainDate.from(today)
  const weekday = WEEKDAYS.indexOf(day) + 1
  if (weekday > 0) {
    const days = (weekday - from.dayOfWeek + 7) % 7 || 7
    return from.add({ days }).toString()
  }
  if (!day.startsWith('today')) return day
  return from.add({ days: Number(day.slice('today'.length)) }).toString()
}

/** Shares from 0 to 1. Higher is better, except for `zero_result_rate`. */
export type Scores = {
  p_at_1: number
  ndcg_at_10: number
  /** the share of queries that should find something but found nothing */
  zero_result_rate: number
  /** the share of expected facets that `interpretation` has right */
  facet_accuracy: number
  /** P@1 of the queries with typos */
  typo_recall: number
  /** the share of answers that conceal nothing and promise nothing untrue */
  honesty: number
}

/** Scores a run over a set of queries. */
export function measure(
  run: readonly Answered[],
  catalogue: readonly JudgedVenue[],
  today: string,
): Scores {
  const findable = run.filter(({ query }) => query.first !== null)
  const typos = run.filter(({ query }) => query.kind === 'typo')
  const facets = run.flatMap((answered) => evaluateFacets(answered, today))
  return {
    p_at_1: share(run, isHit),
    ndcg_at_10: mean(run.map((answered) => ndcg(answered, catalogue))),
    zero_result_rate: share(findable, ({ venues }) => venues.length === 0),
    facet_accuracy: share(facets, ({ isRight }) => isRight),
    typo_recall: share(typos, isHit),
    honesty: share(run, (answered) => liesOf(answered).length === 0),
  }
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const share = <T>(all: readonly T[], has: (one: T) => boolean): number =>
  mean(all.map((one) => (has(one) ? 1 : 0)))
