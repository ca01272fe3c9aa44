import { money } from '../../../src/base/money.ts'
import { serviceWords } from '../../../src/bookings/rules/service-words.ts'
import type { Booking, Cancellation, OneBooking } from '../answers.ts'
import { type Fact, facts } from './facts.ts'
import { toneOf } from './paint.ts'
import type { Screen } from './screen.ts'
import { instant, localSlot } from './times.ts'

/** A booking's slot in the venue's local time. */
const slotOf = ({ slot_time, timezone, utc_offset }: Booking): string =>
  `${localSlot(slot_time)} ${utc_offset} (${timezone})`

export const feeOf = ({ fee }: Booking): string =>
  fee.status === 'none' ? '' : `${money(fee.amount_minor, fee.currency)} ${fee.status}`

/** A booking with everything that its owner may need to know or do. */
export function showBooking(screen: Screen, { booking, cancellation, next }: OneBooking): string {
  const at = (text: string | null) => (text === null ? null : instant(text, screen.zone))
  const { offer, change, place } = booking
  const { street, locality, postcode } = place?.address ?? {}
  const all: Fact[] = [
    ['booking', booking.id],
    ['status', booking.status, toneOf(booking.status)],
    ['because', booking.reason_code],
    ['venue', `${booking.venue.name} (${booking.venue.slug})`],
    ['where', [street, locality, postcode].filter(Boolean).join(', ')],
    ['phone', place?.phone],
    ['service', serviceWords(booking)],
    ['price', booking.service?.price?.text],
    ['time', slotOf(booking), 'strong'],
    ['guests', String(booking.party_size)],
    ['fee', feeOf(booking)],
    ['held until', at(booking.hold_until)],
    ['answer by', at(booking.answer_by)],
    ['offered', offer && `${localSlot(offer.slot_time)}, answer by ${at(offer.answer_by)}`],
    ['requested', change && `${localSlot(change.slot_time)} for ${change.party_size}`],
    ['cancelling', cancellation ? cancelling(cancellation, screen) : null],
    ['cancelled by', booking.cancelled_by],
    ['reason', booking.reason],
    ['created', at(booking.created_at)],
    ['next', next],
  ]
  // On a line of its own, because a broken address cannot be copied.
  const page = booking.guest_url ? ['guest_url, the page for your guest:', booking.guest_url] : []
  return [facts(screen, all), ...page].join('\n')
}

/** The cost of cancelling, in words. */
export function cancelling(cancellation: Cancellation, { zone }: Screen): string {
  const until =
    cancellation.free_until === null ? '' : ` until ${instant(cancellation.free_until, zone)}`
  if (cancellation.fee !== 'kept') return `free of charge${until}`
  return `keeps the fee, ${money(cancellation.amount_minor, cancellation.currency)}`
}
