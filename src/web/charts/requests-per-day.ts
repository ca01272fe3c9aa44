import type { DayOfCalls } from '../../accounts/schema/usage.ts'
import type { Html } from '../page/html.ts'
import { counted, dayWords, figure, sinceFirst } from './frame.ts'
import { barMarks, percent, stackedBars } from './stacked-bars.ts'

/** The least that is shown, so that a bar is as wide as a day. */
const WEEK = 7
const labels = { ok: 'answered', bad: 'refused' }

/** The answered and refused requests of each day, as `usage.get` gives them. */
export function requestsPerDay(id: string, allDays: readonly DayOfCalls[]): Html {
  const days = sinceFirst(allDays, ({ calls }) => calls > 0, WEEK)
  const bars = days.map(({ day, calls, by_code: { ok = 0 } }) => ({
    day,
    name: dayWords(day),
    calls,
    ok,
    bad: calls - ok,
  }))
  const calls = days.reduce((sum, day) => sum + day.calls, 0)
  const refused = bars.reduce((sum, { bad }) => sum + bad, 0)
  const span = days.length === 1 ? 'one day' : `${days.length} days`
  const busiest = bars.toSorted((a, b) => b.calls - a.calls)[0]
  const summary =
    calls === 0 || !busiest
      ? `No requests in ${span}.`
      : `${counted(calls, 'request')} in ${span}, ${percent(refused, calls)} refused. ` +
        `Busiest day: ${busiest.name} (${busiest.calls.toLocaleString('en')}).`
  return figure({
    id,
    title: 'Requests per day',
    summary,
    body: stackedBars(bars, labels),
    marks: barMarks(labels),
    head: ['Day (UTC)', 'Requests', 'Answered', 'Refused'],
    rows: bars.map(({ day, calls, ok, bad }) => [day, calls, ok, bad]).toReversed(),
  })
}
