import { randomUUID } from 'node:crypto'
import { selectNextTimes } from '../../availability/store/next-slots.ts'
import { wordsOf } from '../../base/languages.ts'
import { directionsUrl, placeLines } from '../../base/venue-place.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { guestIsMailed, testMailIsDropped } from '../../bookings/rules/timeline-reasons.ts'
import { keptWish } from '../../bookings/steps/amend.ts'
import { calendarFile } from '../../bookings/steps/calendar-file.ts'
import { guestMailsUrl, guestPageUrl } from '../../bookings/steps/guest-link.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { appendToTimeline } from '../../bookings/store/timeline.ts'
import type { Booking } from '../../contract/public.ts'
import { type Pool, transaction } from '../../platform/database/sql.ts'
import { AddressRefused, type Mail, type SendMail } from '../../platform/mail/send-mail.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { calendarWords } from '../rules/guest-summary.ts'
import { addressDigests } from '../rules/mail-address.ts'
import {
  ADDRESS_TRIES,
  MAILS_COUNT_MS,
  mayMailAddress,
  mostOfAccount,
} from '../rules/mail-limits.ts'
import { mailKindOf, mailText } from '../rules/mail-text.ts'
import { selectGuestBooking } from '../store/guest-bookings.ts'
import * as stored from '../store/guest-mails.ts'

export type GuestMailDeps = {
  db: Pool
  sealer: Pick<Sealer, 'tokens' | 'digests'>
  publicUrl: string
  /** undefined if email is not configured */
  sendMail: SendMail | undefined
  log: Log
}

/**
 * Sends the guest the email that is due, if they want emails. Throws in order to be retried, and
 * gives up after ADDRESS_TRIES permanent refusals of the address. A try that was killed before it
 * recorded that the server accepted the email is repeated with the same Message-ID.
 */
export async function mailGuest(
  deps: GuestMailDeps,
  { bookingId }: Pick<BookingStart, 'bookingId'>,
  at: Date,
): Promise<string> {
  const due = await stored.selectOptionalDueMail(deps.db, bookingId)
  if (!due) return 'nothing to send'
  const line = { booking_id: bookingId, kind: due.kind }
  if (due.is_test) return dropTestMail(deps.db, due, at)
  const { email, id, why } = await begin(deps, due, at)
  if (email === undefined) {
    await stored.clearDueMail(deps.db, due)
    deps.log.info({ ...line, why }, 'an email to a guest was not sent')
    return why
  }
  const failure = await send(deps, due, { email, id, at })
  if (failure) {
    const tries = await stored.endFailedTry(deps.db, due, true)
    deps.log.warn({ ...line, failure, tries }, 'an email did not reach its guest')
    if (tries < ADDRESS_TRIES) throw new Error(failure)
    await stored.clearDueMail(deps.db, due)
    return failure
  }
  await recordSent(deps.db, due, at)
  deps.log.info(line, 'a guest was notified by email')
  return due.kind
}

type Begin = { email: string; id: string; why?: never } | { email?: never; id?: never; why: string }

/** Starts a try, or returns why nothing is to be sent. Throws while another try is in progress. */
async function begin({ db, sealer, sendMail }: GuestMailDeps, due: stored.DueMail, at: Date) {
  const { email, notify, account_id: accountId } = due
  if (!sendMail) return { why: 'email is not configured' }
  if (!email || !notify) return { why: 'the guest does not want emails' }
  if (!isTrue(due, at)) return { why: 'the booking has changed since' }
  const addresses = addressDigests(sealer, email)
  const [address = Buffer.of()] = addresses
  return transaction(db, async (tx): Promise<Begin> => {
    await stored.lockMails(tx, accountId, addresses)
    if (await stored.isStopped(tx, addresses)) return { why: 'the address has opted out of emails' }
    const mail = await stored.selectOptionalMail(tx, due, at)
    if (mail?.is_sent) return { why: 'the email was already sent' }
    if (mail?.is_tried) throw new Error('another try is under way')
    if (mail) {
      await stored.markTried(tx, due, at)
      return { email, id: mail.id }
    }
    const since = new Date(at.getTime() - MAILS_COUNT_MS)
    const counts = await stored.selectMailCounts(tx, { accountId, addresses, since })
    if (!mayMailAddress(counts.own_to_address, counts.to_address - counts.own_to_address)) {
      return { why: 'the address was sent too many emails' }
    }
    if (counts.of_account >= mostOfAccount(counts.completed)) {
      return { why: 'the account has sent too many emails' }
    }
    const id = randomUUID()
    await stored.insertMail(tx, { ...due, id, address, at })
    return { email, id }
  })
}

/** Whether the email is still accurate; nobody is reminded of a slot that has already started. */
function isTrue({ kind, status, starts_at }: stored.DueMail, at: Date): boolean {
  if (kind === 'cancelled') return status === 'cancelled'
  if (kind === 'offered') return status === 'offered'
  if (kind === 'declined') return status === 'declined' || status === 'expired'
  return status === 'confirmed' && starts_at > at
}

type Try = { email: string; id: string; at: Date }

/** Undefined if the server accepted the email; otherwise the reason it refused the address. */
async function send(deps: GuestMailDeps, due: stored.DueMail, { email, id, at }: Try) {
  try {
    await deps.sendMail?.({ ...(await compose(deps, due, at)), to: email, id })
    return undefined
  } catch (error) {
    if (error instanceof AddressRefused) return error.message
    await stored.endFailedTry(deps.db, due, false)
    throw error
  }
}

async function compose(
  { db, sealer, publicUrl }: GuestMailDeps,
  due: stored.DueMail,
  at: Date,
): Promise<Omit<Mail, 'to'>> {
  const { booking_id: bookingId, kind: notice } = due
  const words = wordsOf(due.language ?? 'en')
  const kind = mailKindOf(notice)
  const { booking, place, isDemo, why } = await selectGuestBooking(db, bookingId)
  const others = kind === 'declined' ? await readOthers(db, booking, at) : []
  const pageUrl = guestPageUrl(sealer, publicUrl, bookingId)
  const mailsUrl = guestMailsUrl(sealer, publicUrl, bookingId)
  const where = { ...place, lines: placeLines(place), directionsUrl: directionsUrl(place) }
  const about = { booking, place: where, isDemo, why, others, pageUrl, mailsUrl, publicUrl }
  const entry = { booking, place }
  const hasFile = kind === 'confirmed' || kind === 'amended' || kind === 'cancelled'
  return {
    ...mailText(words, kind, about, at),
    subjectId: bookingId,
    // unsubscribes with one click, without signing in (RFC 8058)
    headers: {
      'List-Unsubscribe': `<${mailsUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    attachment: hasFile
      ? {
          name: calendarFile.nameOf(entry),
          type: calendarFile.type,
          content: calendarFile.render(entry, publicUrl, calendarWords(words, entry, at)),
        }
      : undefined,
  }
}

/** The next free times for a party whose request was refused. */
async function readOthers(db: Pool, { id, venue, starts_at, party_size }: Booking, at: Date) {
  const wish = await keptWish(db, id)
  const from = new Date(starts_at)
  return selectNextTimes(db, venue.id, { at, from, partySize: party_size, wish, count: 3 })
}

/** A sandbox sends no emails; its timeline shows what would have been sent. */
async function dropTestMail(db: Pool, due: stored.DueMail, at: Date): Promise<string> {
  await transaction(db, async (tx) => {
    const booking = await selectBookingForUpdate(tx, due.booking_id)
    await stored.clearDueMail(tx, due)
    if (due.email && due.notify)
      await appendToTimeline(tx, booking, testMailIsDropped(due.kind), at)
  })
  return 'a sandbox sends no emails'
}

/** Records that the email was sent, and adds an entry to the timeline. */
const recordSent = (db: Pool, due: stored.DueMail, at: Date) =>
  transaction(db, async (tx) => {
    const booking = await selectBookingForUpdate(tx, due.booking_id)
    await stored.markSent(tx, due, at)
    await stored.clearDueMail(tx, due)
    await appendToTimeline(tx, booking, guestIsMailed(due.kind), at)
  })
