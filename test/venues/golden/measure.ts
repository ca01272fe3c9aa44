import { evaluateFacets } from './facets.ts'
import { type Answered, gradeOf, isHit, type JudgedVenue } from './grade.ts'
import { liesOf } from './honesty.ts'

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
  /** the share of answers whose first result and facets are all right */
  right: number
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
    right: share(run, (answered) => isRight(answered, today)),
    honesty: share(run, (answered) => liesOf(answered, today).length === 0),
  }
}

/** Whether the first result and all facets are right. */
export const isRight = (answered: Answered, today: string): boolean =>
  isHit(answered) && evaluateFacets(answered, today).every((facet) => facet.isRight)

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length

const share = <T>(all: readonly T[], has: (one: T) => boolean): number =>
  mean(all.map((one) => (has(one) ? 1 : 0)))
