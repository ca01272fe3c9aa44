import type { BookingStatus } from '../../base/booking-status.ts'
import type { Language } from '../../base/languages.ts'

/** The matters about which people at venues are notified. */
export const noticeKinds = [
  'request.waiting',
  'request.reminder',
  'booking.changed',
  'booking.cancelled',
  'day.list',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** Whether the notice asks for an answer, which makes it urgent. */
export const isRequest = (kind: NoticeKind): boolean =>
  kind === 'request.waiting' || kind === 'request.reminder'

/** What a guest wrote, without what makes links, bold text or another direction of it. */
export const unlinked = (text: string): string =>
  text
    .replace(/(?!\u200d)\p{Cf}/gu, '')
    .replace(/[*_~`]/g, '')
    .replace(/([.:\u2024\u3002\uff0e\uff61])(?=[^\s\d])/g, '$1 ')
    .trim()

/** What the people who take care of a guest know about a booking; local times are the venue's. */
export type BookingInNotice = {
  id: string
  revision: number
  status: BookingStatus
  slotTime: string
  endsAt: Date
  partySize: number
  service: string
  guestName: string | null
  notes: string | null
  answerBy: Date | null
  /** how the booking stands, if the venue is asked to change it to the time and party above */
  before: { slotTime: string; partySize: number } | null
}

/** The facts of a notice, from which each channel makes its own message. */
export type NoticeMessage = {
  /** part of the message, so that answers and later statuses lead back to the attempt */
  attemptId: string
  kind: NoticeKind
  at: Date
  venue: { slug: string; name: string; timezone: string; phone: string | null }
  person: { id: string; name: string }
  language: Language
  booking: BookingInNotice | null
  /** a local date and its confirmed bookings, by time */
  day: { date: string; bookings: BookingInNotice[] } | null
  /** the page of this notice */
  url: string
}
