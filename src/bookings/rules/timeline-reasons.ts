import type { BookingStatus } from '../../contract/rules/booking-status.ts'
import type { VenueSync } from './booking.ts'
import type { TimelineReason } from './timeline.ts'

/** What a status means, in a sentence. */
export const arrivalAt: Record<BookingStatus, string> = {
  held: 'A place was held.',
  pending: 'The venue was asked to confirm the booking.',
  offered: 'The venue offered another time.',
  confirmed: 'The booking was confirmed.',
  completed: 'The booking was completed.',
  no_show: 'The guest did not come.',
  declined: 'The booking was declined.',
  expired: 'The booking ran out.',
  released: 'The hold was given back.',
  cancelled: 'The booking was cancelled.',
  failed: 'The request was refused. Nothing was booked.',
}

const feeWords = { accrued: 'Its fee was recorded.', reversed: 'Its fee was taken back.' }

const syncWords: Partial<Record<VenueSync, string>> = {
  withdraw_due: 'The venue is being told that the booking does not stand.',
  withdrawn: 'The venue knows that the booking does not stand.',
}

/** What a step did, when it does not say so itself. */
export function whatOf(step: {
  to?: BookingStatus
  feeStatus?: keyof typeof feeWords
  venueSync?: VenueSync
}): string {
  const { to, feeStatus, venueSync } = step
  const sentences = [
    to && arrivalAt[to],
    feeStatus && feeWords[feeStatus],
    venueSync && syncWords[venueSync],
  ]
  return sentences.filter(Boolean).join(' ') || 'The booking was changed.'
}

const MINUTE_CHARS = 16

/** An instant as timelines write it: `2026-11-21 14:05 UTC`. */
const utcMinute = (at: Date): string =>
  `${at.toISOString().slice(0, MINUTE_CHARS).replace('T', ' ')} UTC`

/** A local slot time as timelines write it: `2026-12-24 at 19:00`. */
const localMinute = (slotTime: string): string =>
  slotTime.slice(0, MINUTE_CHARS).replace('T', ' at ')

/** The first sentence of a timeline: how many, where and when. */
export const holdWords = (slot: {
  partySize: number
  venueName: string
  slotTime: string
  timezone: string
}): string =>
  `A place for ${slot.partySize} at ${slot.venueName} was held: ${localMinute(slot.slotTime)} (${slot.timezone}).`

/** Who takes the ordinary steps, and why. */
export const reasons = {
  agentBooks: { by: 'agent', why: 'The agent asked to book it.' },
  agentWants: { by: 'agent', why: 'The agent asked for it.' },
  agentConfirms: { by: 'agent', why: 'The agent confirmed its hold in time.' },
  networkConfirms: {
    by: 'network',
    why: 'The network keeps the calendar of this venue, and the place was free.',
  },
  venueConfirms: { by: 'venue', why: 'The venue said yes in time.' },
  venueDeclines: { by: 'venue', why: 'The venue said no.' },
  venueCancels: { by: 'venue', why: 'The venue said that it cannot honour the booking any more.' },
  venueIsWrong: { by: 'network', why: 'The venue said yes to a booking that is over.' },
  venueAcknowledges: { by: 'venue', why: 'The venue acknowledged that the booking is over.' },
  itineraryStands: {
    by: 'network',
    why: 'All parts of the itinerary could be had; they were booked together.',
  },
  itineraryFails: {
    by: 'network',
    why: 'Not all parts of the itinerary could be had, so none is booked.',
  },
  venueRefusesChange: {
    by: 'venue',
    what: 'The booking stays as it was.',
    why: 'The venue said no to the change.',
  },
  venueWasNotAsked: {
    by: 'network',
    what: 'The booking stays as it was.',
    why: 'The venue could not be asked for the change in time.',
  },
  venueRevivesChange: {
    by: 'network',
    what: 'The booking stays as it was. The venue is being told so.',
    why: 'The venue said yes to a change that it had declined before.',
  },
  venueGoesBack: {
    by: 'venue',
    what: 'The venue knows that the booking stays as it was.',
    why: 'The venue acknowledged that the change is off.',
  },
  venueCannotGoBack: {
    by: 'venue',
    why: 'The change was off, and the venue said that it cannot honour the booking as it was before.',
  },
  venueReportsNoShow: { by: 'venue', why: 'The venue said that nobody came.' },
  venueCorrectsNoShow: { by: 'venue', why: 'The venue said that the guest had come after all.' },
  agentRefusesOffer: {
    by: 'agent',
    why: 'The venue could not take it at the asked time, and the agent refused the other time.',
  },
  venueIsReminded: {
    by: 'network',
    what: 'The venue was reminded to answer.',
    why: 'Half of its time to answer was over.',
  },
  slotIsOver: {
    by: 'network',
    why: 'The booked time is over, and the venue reported nothing else.',
  },
} as const satisfies Record<string, TimelineReason>

/** The agent holds a slot without booking it yet. */
export const agentHolds = (until: Date): TimelineReason => ({
  by: 'agent',
  why: `The agent asked to hold it. The hold ends by itself at ${utcMinute(until)}.`,
})

/** A slot is held until all parts of an itinerary can be booked. */
export const itineraryHolds = (until: Date): TimelineReason => ({
  by: 'agent',
  why: `The agent asked for it as part of an itinerary. The hold ends by itself at ${utcMinute(until)}.`,
})

/** A slot is free again and goes to a waitlist entry. */
export const waitlistOffers = (until: Date): TimelineReason => ({
  by: 'network',
  why: `A place became free, and it was the turn of this agent, which watches for one. The hold ends by itself at ${utcMinute(until)}.`,
})

/** The agent extends its hold. */
export const agentExtends = (until: Date): TimelineReason => ({
  ...reasons.agentWants,
  what: `The hold was extended to ${utcMinute(until)}.`,
})

type Slot = { slotTime: string; partySize: number }

/** What a change changes; `verb` is `was` or `will be`. */
function changeWords(from: Slot, to: Slot, verb: string): string {
  const isMoved = from.slotTime !== to.slotTime
  const sentences = [
    isMoved &&
      `It ${verb} moved from ${localMinute(from.slotTime)} to ${localMinute(to.slotTime)}.`,
    from.partySize !== to.partySize &&
      `It ${verb} changed from ${from.partySize} to ${to.partySize} guests.`,
  ]
  return sentences.filter(Boolean).join(' ')
}

/** The agent amends the booking. */
export const agentAmends = (from: Slot, to: Slot): TimelineReason & { what: string } => ({
  ...reasons.agentWants,
  what: changeWords(from, to, 'was'),
})

/** The venue agrees to an amendment. */
export const venueAgrees = (from: Slot, to: Slot): TimelineReason & { what: string } => ({
  by: 'venue',
  what: changeWords(from, to, 'was'),
  why: 'The agent asked for it, and the venue said yes in time.',
})

/** The agent asks for an amendment that the venue decides about. */
export const venueIsAskedForChange = (from: Slot, to: Slot, answerBy: Date): TimelineReason => ({
  by: 'agent',
  what: `The venue is asked for a change. ${changeWords(from, to, 'is to be')}`,
  why: `The agent asked for it. The venue has until ${utcMinute(answerBy)} to answer; until then the booking stays as it is.`,
})

/** The venue did not answer about an amendment in time. */
export const changeWasIgnored = (answerBy: Date | null): TimelineReason => ({
  ...venueWasSilent(answerBy),
  what: 'The booking stays as it was. The venue is being told so.',
})

/**
 * The agent cancels, for itself or for the guest; `feeStaysSince` when it is too late to be free.
 */
export const agentCancels = (by: 'agent' | 'guest', feeStaysSince?: Date): TimelineReason => ({
  by,
  why: feeStaysSince
    ? `The ${by} asked for it. Cancelling was free until ${utcMinute(feeStaysSince)}, so the fee stays.`
    : `The ${by} asked for it.`,
})

/** The network asks a venue that decides for itself. */
export const venueIsAsked = (answerBy: Date): TimelineReason => ({
  by: 'network',
  why: `This venue decides by itself. It has until ${utcMinute(answerBy)} to answer.`,
})

/** The venue did not answer in time. */
export const venueWasSilent = (answerBy: Date | null): TimelineReason => ({
  by: 'network',
  why: answerBy
    ? `The venue had until ${utcMinute(answerBy)} to say yes, and did not in time.`
    : 'The venue did not say yes in time.',
})

/** The network reminds the agent of the slot. */
export const networkReminds = (minutesBefore: number): TimelineReason & { what: string } => ({
  by: 'network',
  what: 'The agent was reminded that the booked time is coming.',
  why: `A reminder was due ${minutesBefore % 60 === 0 ? `${minutesBefore / 60} h` : `${minutesBefore} min`} before it.`,
})

/** The venue offers another time. */
export const venueOffers = (slotTime: string, answerBy: Date): TimelineReason => ({
  by: 'venue',
  what: `The venue offered another time: ${localMinute(slotTime)}.`,
  why: `It cannot take the booking at the asked time. The agent has until ${utcMinute(answerBy)} to answer.`,
})

/** The agent accepts the offered time. */
export const agentAcceptsOffer = (slotTime: string): TimelineReason => ({
  by: 'agent',
  why: `The agent accepted the time that the venue had offered: ${localMinute(slotTime)}.`,
})

/** The agent did not answer an offer in time. */
export const offerWasIgnored = (answerBy: Date | null): TimelineReason => ({
  by: 'network',
  why: answerBy
    ? `The agent had until ${utcMinute(answerBy)} to answer the offer of the venue.`
    : 'The agent did not answer the offer of the venue in time.',
})
