import { listBookings } from '../../../../bookings/operations/list-bookings.ts'
import type { Booking } from '../../../../contract/public.ts'
import { bookingStatuses } from '../../../../contract/rules/booking-status.ts'
import { money } from '../../../../contract/rules/money.ts'
import * as ui from '../../components.ts'
import { textFields, withQuery } from '../../forms.ts'
import { html } from '../../html.ts'
import { type Page, showPage } from '../page-kit.ts'
import { statusBadge } from '../status-badges.ts'

const PATH = '/dashboard/bookings'

/** `/dashboard/bookings`: the bookings of the account, newest first. */
export const bookings: Page = async (scope, { call }) => {
  scope.get(PATH, async (request, reply) => {
    const names = ['status', 'venue', 'from', 'to', 'cursor'] as const
    const { cursor, ...filter } = textFields(request.query, names)
    const { bookings, next_cursor } = await call(request, listBookings, { ...filter, cursor })
    const none = noneOf('booking', filter, 'Bookings that your agents make appear here.')
    const body = html`
${ui.filterForm(PATH, [
  ui.choice('Status', 'status', ui.anyOf(bookingStatuses), filter.status),
  ui.field('Venue', { name: 'venue', value: filter.venue, placeholder: 'slug or id' }),
  ui.field('Slot from', { name: 'from', type: 'date', value: filter.from }),
  ui.field('Slot until', { name: 'to', type: 'date', value: filter.to }),
])}
${ui.listTable('Bookings', bookings, columns, none)}
${ui.pager(next_cursor, (next) => withQuery(PATH, { ...filter, cursor: next }))}`
    return showPage(reply, 'Bookings', body)
  })
}

/** Stands for an empty list of bookings or requests: the filter excludes all, or there are none. */
export const noneOf = (noun: string, filter: object, text: string) =>
  Object.keys(filter).length > 0
    ? ui.empty(`No ${noun} matches`, 'Try other filters.')
    : ui.empty(
        `No ${noun}s yet`,
        text,
        html`<p>${ui.link('/dashboard', 'Send your first request')}</p>`,
      )

const columns: ui.Columns<Booking> = {
  Slot: ({ id, slot_time }) => ui.link(`${PATH}/${id}`, ui.localMinute(slot_time)),
  Venue: ({ venue }) => venue.name,
  Guests: ({ party_size }) => party_size,
  Status: ({ status, reason_code }) =>
    html`${statusBadge(status)} ${reason_code && ui.quiet(reason_code)}`,
  Fee: ({ fee }) => (fee.status === 'none' ? ui.quiet('none') : feeWords(fee)),
  Booked: ({ created_at }) => ui.when(created_at),
}

/** The amount of a fee, and its status unless it is accrued. */
export const feeWords = ({ status, amount_minor, currency }: Booking['fee']): string =>
  money(amount_minor, currency) + (status === 'accrued' ? '' : `, ${status}`)
