import type { DayOfCalls } from '../../accounts/schema/usage.ts'
import { type BookingStatus, bookingStatuses } from '../../base/booking-status.ts'
import type { DeliverySpan } from '../../webhooks/schema/deliveries.ts'
import * as ui from '../page/components.ts'
import { type Html, html } from '../page/html.ts'
import { durationText } from '../page/times.ts'

/** Answered and refused requests per day since the first day with any, newest first. */
export function requestsPerDay(days: readonly DayOfCalls[]): Html {
  const since = sinceFirst(days, ({ calls }) => calls)
  const all = since.reduce((sum, { calls }) => sum + calls, 0)
  const refused = since.reduce((sum, day) => sum + refusedOf(day), 0)
  if (all === 0) return ui.note('No requests.')
  return html`
${ui.note(`${ui.grouped(all)} requests, ${percent(refused, all)} refused.`)}
${ui.listTable('Requests per day', since, {
  'Day (UTC)': ({ day }) => day,
  '': barOf(since, ({ calls }) => calls),
  Requests: ({ calls }) => calls,
  Answered: (day) => day.calls - refusedOf(day),
  Refused: refusedOf,
})}`
}

const refusedOf = ({ calls, by_code: { ok = 0 } }: DayOfCalls) => calls - ok

/** Attempts and response times per period since the first attempt; undefined without any. */
export function attemptsTable(spans: readonly DeliverySpan[]): Html | undefined {
  const since = sinceFirst(spans, attemptsOf)
  if (since.length === 0) return undefined
  const all = since.reduce((sum, span) => sum + attemptsOf(span), 0)
  const succeeded = since.reduce((sum, span) => sum + span.succeeded, 0)
  return html`
${ui.note(
  `${ui.grouped(all)} attempts, ${percent(succeeded, all)} succeeded. ` +
    'These figures are up to a minute old.',
)}
${ui.listTable('Attempts and response times', since, {
  'From (UTC)': ({ at }) => ui.minuteText(at),
  '': barOf(since, attemptsOf),
  Succeeded: ({ succeeded }) => succeeded,
  Failed: ({ failed }) => failed,
  p50: ({ p50_ms }) => msCell(p50_ms),
  p95: ({ p95_ms }) => msCell(p95_ms),
})}`
}

const attemptsOf = ({ succeeded, failed }: DeliverySpan) => succeeded + failed
const msCell = (ms: number | null) => ui.figure(ms === null ? '–' : durationText(ms))

/** The number of bookings in each status, in lifecycle order, without zeros. */
export function bookingsByStatus(counts: Partial<Record<BookingStatus, number>>): Html {
  const countOf = (status: BookingStatus) => counts[status] ?? 0
  const statuses = bookingStatuses.filter((status) => countOf(status) > 0)
  const columns = { Status: String, '': barOf(statuses, countOf), Bookings: countOf }
  return ui.listTable('Bookings by status', statuses, columns, ui.note('No bookings.'))
}

/** The items from the first non-zero count onwards, newest first. */
function sinceFirst<T>(items: readonly T[], count: (item: T) => number): readonly T[] {
  const first = items.findIndex((item) => count(item) > 0)
  return first === -1 ? [] : items.slice(first).toReversed()
}

/** A bar next to a number. It only repeats the number, so screen readers skip it. */
function barOf<T>(items: readonly T[], count: (item: T) => number) {
  const highest = Math.max(1, ...items.map(count))
  return (item: T) =>
    html`<meter aria-hidden="true" max="${highest}" value="${count(item)}"></meter>`
}

const percent = (part: number, whole: number) => `${Math.round((part / whole) * 1000) / 10} %`
