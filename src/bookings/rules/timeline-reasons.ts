import type { BookingStatus } from '../../base/booking-status.ts'
import { zonedMinute } from '../../base/local-time.ts'
import type { ConfirmMode } from '../../base/venue-kinds.ts'
import type { VenueSync } from './booking.ts'
import type { GuestNotice } from './guest-notices.ts'
import type { TimelineActor, TimelineReason } from './timeline.ts'
import texts from './timeline-reasons.json' with { type: 'json' }

/** What each status means, in a sentence. */
export const arrivalAt: Record<BookingStatus, string> = texts.arrivalAt

/** What happens to the fee. */
export const { feeWords } = texts

/** What the venue now knows about the booking. */
export const syncWords: Partial<Record<VenueSync, string>> = texts.syncWords

const MINUTE_CHARS = 16

/** A local slot time in timeline format: `2026-12-24 at 19:00`. */
const localMinute = (slotTime: string) => slotTime.slice(0, MINUTE_CHARS).replace('T', ' at ')

const by =
  (actor: TimelineActor) =>
  (why: string, what?: string): TimelineReason => ({ by: actor, why, ...(what && { what }) })
const agent = by('agent')
const guest = by('guest')
const venue = by('venue')
const network = by('network')

const UNCHANGED = 'The booking stays as it was'

/** The actor and reason of each ordinary step. */
export const reasons = texts.reasons as Record<keyof typeof texts.reasons, TimelineReason>

const endsAt = (until: Date, timezone: string) =>
  `The hold ends by itself at ${zonedMinute(timezone, until)}.`

/** The agent holds a slot before booking it. Deadlines are in the venue’s time. */
export const agentHolds = (until: Date, timezone: string) =>
  agent(`The agent asked to hold it. ${endsAt(until, timezone)}`)

/** A slot is held until all parts of an itinerary can be booked. */
export const itineraryHolds = (until: Date, timezone: string) =>
  agent(`The agent asked for it as part of an itinerary. ${endsAt(until, timezone)}`)

/** A released slot is offered to a waitlist entry. */
export const waitlistOffers = (until: Date, timezone: string) =>
  network(`The slot became available, and this agent was next in line. ${endsAt(until, timezone)}`)

/** The agent extends its hold. */
export const agentExtends = (until: Date, timezone: string) =>
  agent(reasons.agentWants.why, `The hold was extended to ${zonedMinute(timezone, until)}.`)

type Slot = { slot_time: string; party_size: number }

/** What a change does; `verb` is `was` or `is to be`. */
function changeWords(from: Slot, to: Slot, verb: string): string {
  const isMoved = from.slot_time !== to.slot_time
  const sentences = [
    isMoved &&
      `It ${verb} moved from ${localMinute(from.slot_time)} to ${localMinute(to.slot_time)}.`,
    from.party_size !== to.party_size &&
      `It ${verb} changed from ${from.party_size} to ${to.party_size} guests.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** The agent amends the booking. */
export const agentAmends = (from: Slot, to: Slot, isOnPage: boolean) =>
  isOnPage
    ? guest('The guest asked for it on the page of the booking.', changeWords(from, to, 'was'))
    : agent(reasons.agentWants.why, changeWords(from, to, 'was'))

/** The venue agrees to an amendment. */
export const venueAgrees = (from: Slot, to: Slot) =>
  venue('The venue was asked for it, and said yes in time.', changeWords(from, to, 'was'))

/** The agent, or the guest on their page, requests an amendment that needs the venue's consent. */
export const venueIsAskedForChange = (
  from: Slot & { timezone: string },
  to: Slot,
  answerBy: Date,
  isOnPage: boolean,
) =>
  (isOnPage ? guest : agent)(
    `The ${isOnPage ? 'guest' : 'agent'} asked for it. The venue has until ` +
      `${zonedMinute(from.timezone, answerBy)} to ` +
      'answer; ' +
      'until then the booking stays as it is.',
    `The venue is asked for a change. ${changeWords(from, to, 'is to be')}`,
  )

/**
 * The agent cancels, for itself or for the guest, or the guest cancels on their page;
 * `feeStaysSince` if cancelling is no longer free.
 */
export const agentCancels = (
  by: 'agent' | 'guest',
  {
    feeStaysSince,
    timezone,
    isOnPage,
  }: { feeStaysSince: Date | undefined; timezone: string; isOnPage: boolean },
): TimelineReason => {
  const sentence = `The ${by} asked for it${isOnPage ? ' on the page of the booking' : ''}.`
  return {
    by,
    why: feeStaysSince
      ? `${sentence} Cancelling was free until ${zonedMinute(timezone, feeStaysSince)}, ` +
        'so the fee stays.'
      : sentence,
  }
}

/** An operator cancels; the account and the guest can read the operator's explanation. */
export const operatorCancels = (reason: string) =>
  by('operator')(`An operator of the network cancelled it: ${reason}`)

/** The network asks a venue that confirms its own bookings. */
export const venueIsAsked = (answerBy: Date, timezone: string) =>
  network(
    'This venue confirms its own bookings. ' +
      `It has until ${zonedMinute(timezone, answerBy)} to answer.`,
  )

type Awaited = { answer_by: Date | null; timezone: string }

const silence = ({ answer_by, timezone }: Awaited) =>
  answer_by
    ? `The venue had until ${zonedMinute(timezone, answer_by)} to say yes, but did not.`
    : 'The venue did not say yes in time.'

/** The venue did not answer in time. */
export const venueWasSilent = (booking: Awaited) => network(silence(booking))

/** The venue did not respond to an amendment in time; only a system is told what follows. */
export const changeWasIgnored = (booking: Awaited & { confirm_mode: ConfirmMode }) =>
  network(
    silence(booking),
    `${UNCHANGED}${booking.confirm_mode === 'http' ? ', and the venue is being told' : ''}.`,
  )

/** The network reminds the agent of the slot. */
export function networkReminds(minutes: number): TimelineReason {
  const ahead = minutes % 60 === 0 ? `${minutes / 60} h` : `${minutes} min`
  return network(`A reminder was due ${ahead} before it.`, 'The agent was reminded of the booking.')
}

const mailWords: Record<string, string> = texts.mailWords

/** The guest gets an email. */
export const guestIsMailed = (notice: GuestNotice) =>
  network(
    'The agent said that the guest agrees to emails.',
    `The guest was sent an email: ${mailWords[notice.split(':', 1)[0] ?? '']}.`,
  )

/** The guest of a sandbox booking would get an email. */
export const testMailIsDropped = (notice: GuestNotice) =>
  network(
    'A sandbox sends no emails.',
    `The guest would have been sent an email: ${mailWords[notice.split(':', 1)[0] ?? '']}.`,
  )

/** The venue cancels. */
export const venueCancels = (because?: string) =>
  venue(`The venue said that it can no longer honour the booking${because ? `: ${because}` : ''}.`)

/** The venue offers another time. */
export const venueOffers = (slotTime: string, answerBy: Date, timezone: string) =>
  venue(
    'It cannot take the booking at the requested time. ' +
      `The agent has until ${zonedMinute(timezone, answerBy)} to answer.`,
    `The venue offered another time: ${localMinute(slotTime)}.`,
  )

/** The agent accepts the offered time. */
export const offerIsAccepted = (slotTime: string, who: 'agent' | 'guest') =>
  by(who)(`The ${who} accepted the time that the venue had offered: ${localMinute(slotTime)}.`)

/** The agent did not answer an offer in time. */
export const offerWasIgnored = ({ answer_by, timezone }: Awaited) =>
  network(
    answer_by
      ? `The agent had until ${zonedMinute(timezone, answer_by)} to answer the venue’s offer.`
      : 'The agent did not answer the venue’s offer in time.',
  )
