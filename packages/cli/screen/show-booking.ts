import { money } from '../../../src/base/money.ts'
import { serviceWords } from '../../../src/bookings/rules/service-words.ts'
import type { Booking, Cancellation, OneBooking } from '../answers.ts'
import { depositText } from './deposit.ts'
import { type Fact, facts } from './facts.ts'
import { toneOf } from './paint.ts'
import { printable } from './printable.ts'
import type { Screen } from './screen.ts'
import { instant, localDeadline, localSlot } from './times.ts'

/** A booking's slot in the venue's local time. */
const slotOf = ({ slot_time, timezone, utc_offset }: Booking): string =>
  `${localSlot(slot_time)} ${utc_offset} (${timezone})`

export const feeOf = ({ fee }: Booking): string =>
  fee.status === 'none' ? '' : `${money(fee.amount_minor, fee.currency)} ${fee.status}`

/** A booking with everything that its owner may need to know or do. */
export function showBooking(screen: Screen, { booking, cancellation, next }: OneBooking): string {
  const by = (local: string | null) => local && localDeadline(local)
  const { offer, change, place, deposit } = booking
  const { street, locality, postcode } = place?.address ?? {}
  const all: Fact[] = [
    ['booking', booking.id],
    ['status', booking.status, toneOf(booking.status)],
    ['because', booking.reason_code],
    ['venue', `${booking.venue.name} (${booking.venue.slug})`],
    ['where', [street, locality, postcode].filter(Boolean).join(', ')],
    ['phone', place?.phone],
    ['service', serviceWords(booking)],
    ['price', booking.service?.price?.total],
    [deposit?.kind ?? '', deposit && depositText(deposit)],
    ['time', slotOf(booking), 'strong'],
    ['guests', String(booking.party_size)],
    ['fee', feeOf(booking)],
    ['held until', by(booking.hold_until_local)],
    ['answer by', by(booking.answer_by_local)],
    ['offered', offer && `${localSlot(offer.slot_time)}, answer by ${by(offer.answer_by_local)}`],
    ['requested', change && `${localSlot(change.slot_time)} for ${change.party_size}`],
    ['cancelling', cancellation && cancelling(cancellation)],
    ['cancelled by', booking.cancelled_by],
    ['reason', booking.reason],
    ['created', instant(booking.created_at, screen.zone)],
    ['next', next],
  ]
  // On a line of its own, because a broken address cannot be copied.
  const page = booking.guest_url ? ['guest_url, the page for your guest:', booking.guest_url] : []
  return [facts(screen, all), ...page].join('\n')
}

/** The cost of cancelling, in words. */
export function cancelling({ fee, amount_minor, currency, free_until_local: until }: Cancellation) {
  if (fee === 'kept') return `keeps the fee, ${money(amount_minor, currency)}`
  return printable(`free of charge${until ? ` until ${localDeadline(until)}` : ''}`)
}
