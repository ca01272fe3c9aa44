import { scaleBand, scaleLinear } from 'd3-scale'
import { type BookingStatus, bookingStatuses } from '../../../contract/rules/booking-status.ts'
import { type Html, html } from '../html.ts'
import { counted, figure, short, WIDTH } from './frame.ts'

const ROW = 24
const LEFT = 92
/** What the longest bar leaves for its figure. */
const RIGHT = WIDTH - 56
/** Ways in which nothing came of a booking. */
const lost: readonly BookingStatus[] = [
  'declined',
  'expired',
  'released',
  'cancelled',
  'failed',
  'no_show',
]

/** How many bookings are in each status, in the order of a booking's life; statuses without any are left out. */
export function bookingsByState(
  id: string,
  counts: Partial<Record<BookingStatus, number>>,
  title = 'Bookings by status',
): Html {
  const shown = bookingStatuses.flatMap((status) => {
    const count = counts[status] ?? 0
    return count > 0 ? [{ status, count }] : []
  })
  const all = shown.reduce((sum, { count }) => sum + count, 0)
  const height = Math.max(1, shown.length) * ROW
  const y = scaleBand<string>()
    .domain(shown.map(({ status }) => status))
    .range([0, height])
    .padding(0.25)
  const x = scaleLinear()
    .domain([0, Math.max(1, ...shown.map(({ count }) => count))])
    .range([LEFT, RIGHT])
  const bars = shown.map(({ status, count }) => {
    const top = y(status) ?? 0
    const line = short(top + y.bandwidth() / 2 + 4)
    return html`<g class="${lost.includes(status) ? 'bad' : 'ok'}"><text x="${LEFT - 8}" y="${line}" text-anchor="end">${status}</text>
<rect x="${LEFT}" y="${short(top)}" width="${short(x(count) - LEFT)}" height="${short(y.bandwidth())}"/>
<text x="${short(x(count) + 6)}" y="${line}">${count}</text></g>`
  })
  return figure({
    id,
    title,
    summary:
      all === 0
        ? 'No bookings.'
        : `${counted(all, 'booking')}: ${shown.map(({ status, count }) => `${count} ${status}`).join(', ')}.`,
    body: html`${bars}`,
    height,
    head: ['Status', 'Bookings'],
    rows: shown.map(({ status, count }) => [status, count]),
  })
}
