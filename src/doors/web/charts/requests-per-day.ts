import type { DayOfCalls } from '../../../accounts/schema/usage.ts'
import type { Html } from '../html.ts'
import { counted, dayWords, figure } from './frame.ts'
import { barMarks, percent, stackedBars } from './stacked-bars.ts'

const words = { ok: 'answered', bad: 'refused' }

/** The calls of each day: those that were answered, and those that were refused. `days` as `usage.get` gives them. */
export function requestsPerDay(id: string, days: readonly DayOfCalls[]): Html {
  const bars = days.map(({ day, calls, by_code: { ok = 0 } }) => ({
    name: dayWords(day),
    ok,
    bad: calls - ok,
  }))
  const calls = days.reduce((sum, day) => sum + day.calls, 0)
  const refused = bars.reduce((sum, { bad }) => sum + bad, 0)
  const span = days.length === 1 ? 'one day' : `${days.length} days`
  const busiest = days.toSorted((a, b) => b.calls - a.calls)[0]
  const summary =
    calls === 0 || !busiest
      ? `No requests in ${span}.`
      : `${counted(calls, 'request')} in ${span}, ${percent(refused, calls)} refused; the most on ${dayWords(busiest.day)}: ${busiest.calls.toLocaleString('en')}.`
  return figure({
    id,
    title: 'Requests per day',
    summary,
    body: stackedBars(bars, words),
    marks: barMarks(words),
    head: ['Day (UTC)', 'Requests', 'Answered', 'Refused'],
    rows: days
      .map(({ day, calls, by_code: { ok = 0 } }) => [day, calls, ok, calls - ok])
      .toReversed(),
  })
}
