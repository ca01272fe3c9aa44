import type { FastifyInstance } from 'fastify'
import { listBookings } from '../../../../bookings/operations/list-bookings.ts'
import type { Booking } from '../../../../contract/public.ts'
import { bookingStatuses } from '../../../../contract/rules/booking-status.ts'
import { money } from '../../../../contract/rules/money.ts'
import { anyOf, choice, field, filterForm } from '../../components/form.ts'
import { empty, pager } from '../../components/list.ts'
import { table } from '../../components/table.ts'
import { localMinute, when } from '../../components/time.ts'
import { type Html, html } from '../../html.ts'
import { sendPage } from '../../page.ts'
import { address, given } from '../../query.ts'
import { dashboardPage } from '../layout.ts'
import type { DashboardDeps } from '../page-deps.ts'
import { bookingBadge } from '../status-badges.ts'

const PATH = '/dashboard/bookings'
const filters = ['status', 'venue', 'from', 'to'] as const
type Filter = { [name in (typeof filters)[number]]?: string }

/** `/dashboard/bookings`: what the account has booked, newest first. */
export async function bookings(scope: FastifyInstance, { call }: DashboardDeps) {
  scope.get(PATH, async (request, reply) => {
    const { cursor, ...filter } = given(request.query, [...filters, 'cursor'])
    const page = await call(request, listBookings, { ...filter, ...(cursor && { cursor }) })
    const body = bookingsView(page, filter)
    return sendPage(reply, dashboardPage(request, { title: 'Bookings', section: 'bookings', body }))
  })
}

/** A page of bookings under the filter that chose them. */
function bookingsView(
  page: { bookings: readonly Booking[]; next_cursor: string | null },
  filter: Filter,
): Html {
  return html`
${filterForm(PATH, [
  choice('Status', 'status', anyOf('All', bookingStatuses), filter.status),
  field('Venue', { name: 'venue', value: filter.venue ?? '', placeholder: 'slug or id' }),
  field('Slot from', { name: 'from', type: 'date', value: filter.from ?? '' }),
  field('Slot until', { name: 'to', type: 'date', value: filter.to ?? '' }),
])}
${page.bookings.length === 0 ? none(filter) : table(['Slot', 'Venue', 'Guests', 'Status', 'Fee', 'Booked'], page.bookings.map(row), 'Bookings')}
${pager(page.next_cursor, (cursor) => address(PATH, { ...filter, cursor }))}`
}

const none = (filter: Filter): Html =>
  Object.keys(filter).length > 0
    ? empty('No booking matches', 'Try other filters.')
    : empty(
        'No bookings yet',
        'Bookings that your agents make appear here.',
        html`<p><a href="/dashboard">Send your first request</a></p>`,
      )

const row = (booking: Booking) => [
  html`<a href="${PATH}/${booking.id}">${localMinute(booking.slot_time)}</a>`,
  booking.venue.name,
  booking.party_size,
  html`${bookingBadge(booking.status)}${booking.reason_code ? html` <span class="quiet">${booking.reason_code}</span>` : ''}`,
  booking.fee.status === 'none' ? html`<span class="quiet">none</span>` : feeWords(booking),
  when(booking.created_at),
]

/** A fee with what has become of it. */
export const feeWords = ({ fee }: Pick<Booking, 'fee'>): string =>
  fee.status === 'accrued'
    ? money(fee.amount_minor, fee.currency)
    : `${money(fee.amount_minor, fee.currency)}, ${fee.status}`
