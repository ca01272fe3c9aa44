import { z } from 'zod'
import { evaluateFacets } from './facets.ts'
import { type Answered, gradeOf, isHit } from './grade.ts'
import { liesOf } from './honesty.ts'
import { isRight, type Scores } from './measure.ts'

const share = z.number().min(0).max(1)
const scores = z.strictObject({
  p_at_1: share,
  ndcg_at_10: share,
  zero_result_rate: share,
  facet_accuracy: share,
  typo_recall: share,
  right: share,
  honesty: share,
})

/** The last recorded scores of each set of queries. */
export const recordedScores = z.record(z.string(), scores)

const EPSILON = 1e-4

/** The scores as stored: four decimals, one metric per line. */
export function recordText(all: z.infer<typeof recordedScores>): string {
  const rounded = (_: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toFixed(4)) : value
  return `${JSON.stringify(all, rounded, 2)}\n`
}

/** The metrics that are worse than recorded; all of them if none were recorded. */
export function worsened(now: Scores, recorded: Scores | undefined): (keyof Scores)[] {
  if (!recorded) return metricsOf(now)
  return metricsOf(now).filter((metric) => {
    const loss = recorded[metric] - now[metric]
    return (metric === 'zero_result_rate' ? -loss : loss) > EPSILON
  })
}

/** One line per metric: its name, current value and recorded value. */
export function scoreTable(set: string, now: Scores, recorded: Scores | undefined): string {
  const row = (...cells: [string, string, string]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(24) : cell.padStart(10))).join('')
  return [
    row(set, 'now', 'recorded'),
    ...metricsOf(now).map((metric) =>
      row(metric, now[metric].toFixed(4), recorded?.[metric].toFixed(4) ?? '-'),
    ),
  ].join('\n')
}

const metricsOf = (of: Scores) => Object.keys(of) as (keyof Scores)[]

/** How many queries of each kind are right, and how many answers honest, without the queries. */
export function kindLines(run: readonly Answered[], today: string): string[] {
  const kinds = [...Map.groupBy(run, ({ query }) => query.kind)]
  return kinds.map(([kind, some]) => {
    const right = some.filter((one) => isRight(one, today)).length
    const honest = some.filter((one) => liesOf(one, today).length === 0).length
    return `${kind.padEnd(12)} right ${right} of ${some.length}, honest ${honest}`
  })
}

/** One line for each query whose first result, honesty or facets are wrong, listing each fault. */
export function failureLines(run: readonly Answered[], today: string): string[] {
  return run.flatMap((answered) => {
    const { query, venues } = answered
    const wrong = evaluateFacets(answered, today).filter(({ isRight }) => !isRight)
    const lies = liesOf(answered, today)
    if (isHit(answered) && wrong.length === 0 && lies.length === 0) return []
    const hit = isHit(answered) ? 'ok  ' : 'MISS'
    const grades = venues.map((venue) => gradeOf(query, venue)).join('')
    const got = wrong.map(({ facet, got }) => `${facet}=${JSON.stringify(got ?? null)}`)
    const first = venues[0]?.slug ?? 'nothing'
    return [
      `${hit} ${query.kind}: ${query.q} → ${first} [${grades}] ${[...got, ...lies].join('; ')}`,
    ]
  })
}
