import type { Words } from '../../base/languages.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import type { VenueBooking } from '../../confirmation/store/venue-bookings.ts'
import type { StaffView } from './staff-document.ts'

/** A local time as the languages' texts take it. */
export const asText = (local: string): Date => new Date(`${local}Z`)

type Clocked = Pick<StaffView, 'words' | 'venue' | 'at'>

/** The length of a stay as people say it: `Today, 13:00–14:30`. */
export function slotText(
  { words: { say }, venue: { timezone }, at }: Clocked,
  { slot_time, ends_at }: { slot_time: string; ends_at: Date },
): string {
  const today = dateOf(toLocal(timezone, at))
  const date = dateOf(slot_time)
  const tomorrow = date === addDays(today, 1) ? 'staff.tomorrow' : 'staff.slot'
  return say(date === today ? 'staff.today' : tomorrow, {
    at: asText(slot_time),
    until: asText(toLocal(timezone, ends_at)),
  })
}

/** An instant at the venue: the time of day, and the date unless it is today. */
export function momentText({ words: { say }, venue: { timezone }, at }: Clocked, instant: Date) {
  const local = toLocal(timezone, instant)
  const isToday = dateOf(local) === dateOf(toLocal(timezone, at))
  return say(isToday ? 'clock' : 'time', { at: asText(local) })
}

export const partyText = ({ say }: Words, { party_size: guests }: { party_size: number }) =>
  say('party', { guests })

/** The time and the party that a guest wants instead, if the venue is asked for them. */
export const wantedText = ({ words }: Pick<StaffView, 'words'>, { change }: VenueBooking) =>
  change && `${words.say('time', { at: asText(change.slot_time) })}, ${partyText(words, change)}`

/** The status of a booking, worded for the venue's staff. */
export function statusText(view: Clocked, booking: VenueBooking): string {
  const { say } = view.words
  const { status, answer_by, cancelled_by, offered_slot_time, reason_code } = booking
  const wanted = wantedText(view, booking)
  const values = {
    when: momentText(view, booking.updated_at),
    until: answer_by ? momentText(view, answer_by) : '',
    offered: offered_slot_time ? say('time', { at: asText(offered_slot_time) }) : '',
  }
  if (wanted) return say('staff.status.change', { ...values, wanted })
  if (status === 'declined' && reason_code === 'offer_refused') return say('staff.status.refused')
  if (status === 'expired' && reason_code === 'offer_expired') {
    return say('staff.status.lapsed', values)
  }
  if (status === 'cancelled') {
    const isKnown = cancelled_by !== null && cancelled_by !== 'operator'
    return say(`staff.status.${isKnown ? cancelled_by : 'network'}`, values)
  }
  // Venues never see the other statuses.
  if (status === 'held' || status === 'released' || status === 'failed') return status
  return say(`staff.status.${status}`, values)
}

/** Whether the guest is notified that the booking has ended, and what staff can do. */
export function guestText({ say }: Words, { end_mail, phone, email }: VenueBooking): string {
  if (end_mail === 'sent') return say('staff.guest.sent')
  if (end_mail === 'due') return say('staff.guest.due')
  const contact = phone ?? email
  return contact === null ? say('staff.guest.none') : say('staff.guest.self', { contact })
}

/** The effects that have a text of their own. */
const effects = [
  ...([
    'amend',
    'keep',
    'confirm',
    'decline',
    'offer',
    'cancel',
    'no_show',
    'attended',
    'repeated',
  ] as const),
  ...(['slot_unavailable', 'expire', 'too_early', 'too_late', 'other_revision'] as const),
]

/** The outcome of the answer that staff have just given. */
export function outcomeText(view: Clocked, effect: string | null, booking: VenueBooking): string {
  const { say } = view.words
  if (effect === null) return say('staff.outcome.recorded')
  const one = effects.find((name) => name === effect)
  const { answered_by, cancelled_by, end_mail } = booking
  const status = statusText(view, booking)
  const outcome = say(`staff.outcome.${one ?? 'decided'}`, { status })
  const who = !one && answered_by && !cancelled_by && `${say('staff.answeredBy')} ${answered_by}.`
  const words = who ? `${outcome} ${who}` : outcome
  if (effect === 'confirm' && end_mail !== 'none') return `${words} ${say('staff.end.mail')}`
  const ends = effect === 'decline' || effect === 'cancel'
  return ends ? `${words} ${guestText(view.words, booking)}` : words
}
