import { scaleBand, scaleLinear } from 'd3-scale'
import { type BookingStatus, bookingStatuses } from '../../base/booking-status.ts'
import { type Html, html } from '../page/html.ts'
import { counted, figure, rounded, WIDTH } from './frame.ts'

const ROW = 24
const LEFT = 92
/** The longest bar leaves room for its figure. */
const RIGHT = WIDTH - 56
const lost = new Set<BookingStatus>([
  'declined',
  'expired',
  'released',
  'cancelled',
  'failed',
  'no_show',
])

/** The number of bookings by status, in the order of a booking's life, without zeros. */
export function bookingsByState(
  id: string,
  counts: Partial<Record<BookingStatus, number>>,
  title = 'Bookings by status',
): Html {
  const rows = bookingStatuses.flatMap((status): [BookingStatus, number][] => {
    const count = counts[status] ?? 0
    return count > 0 ? [[status, count]] : []
  })
  const all = rows.reduce((sum, [, count]) => sum + count, 0)
  const height = Math.max(1, rows.length) * ROW
  const y = scaleBand<string>()
    .domain(rows.map(([status]) => status))
    .range([0, height])
    .padding(0.25)
  const x = scaleLinear()
    .domain([0, Math.max(1, ...rows.map(([, count]) => count))])
    .range([LEFT, RIGHT])
  const bars = rows.map(([status, count]) => {
    const top = y(status) ?? 0
    const line = rounded(top + y.bandwidth() / 2 + 4)
    return html`<g class="${lost.has(status) ? 'bad' : 'ok'}">
<text x="${LEFT - 8}" y="${line}" text-anchor="end">${status}</text>
<rect x="${LEFT}" y="${rounded(top)}"
width="${rounded(x(count) - LEFT)}" height="${rounded(y.bandwidth())}"/>
<text x="${rounded(x(count) + 6)}" y="${line}">${count}</text></g>`
  })
  const listed = rows.map(([status, count]) => `${count} ${status}`).join(', ')
  return figure({
    id,
    title,
    summary: all === 0 ? 'No bookings.' : `${counted(all, 'booking')}: ${listed}.`,
    body: html`${bars}`,
    height,
    head: ['Status', 'Bookings'],
    rows,
  })
}
