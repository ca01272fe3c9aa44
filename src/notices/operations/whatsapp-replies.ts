import { type Words, wordsOf } from '../../base/languages.ts'
import { parseSlotTime } from '../../base/local-time.ts'
import type { BookingContext } from '../../bookings/engine.ts'
import { readVenueBooking } from '../../confirmation/operations/venue-page.ts'
import { declineReasons } from '../../confirmation/rules/venue-responses.ts'
import { selectOptionalVenueBooking } from '../../confirmation/store/venue-bookings.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import type { NoticeEngine } from '../engine.ts'
import { noticeUrl } from '../rules/notice-link.ts'
import { type Content, listContent, textContent, timeText } from '../rules/whatsapp-message.ts'
import { messageKey, type Press, payloadText, readPayload } from '../rules/whatsapp-payload.ts'
import {
  answerNotice,
  answerRefusal,
  type NoticeAnswer,
  type NoticeOutcome,
} from '../steps/answer-notice.ts'
import { recordStatus } from '../steps/record-status.ts'
import type { selectChannelsByDigest } from '../store/channels.ts'
import { type Recipient, selectOptionalRecipient } from '../store/recipients.ts'
import { selectLatestAttempt, selectProviderId } from '../store/whatsapp.ts'

export type ReceiveDeps = {
  db: Pool
  engine: BookingContext['engine'] & Pick<NoticeEngine, 'wakeNotice'>
  sealer: Pick<Sealer, 'tokens' | 'digests'>
  publicUrl: string
  /** webhooks about other numbers of the same business account are ignored */
  phoneNumberId: string
  /** sends an answer; never throws */
  reply(content: Content, to: string, inReplyTo: string): Promise<void>
  log: Log
}

/** Who wrote: the digests of the number, and the channels that it has now. */
export type Sender = {
  digests: readonly Buffer[]
  channels: Awaited<ReturnType<typeof selectChannelsByDigest>>
}

/** As long as the link of a notice is valid. */
const RECENT_MS = 7 * 24 * 3_600_000
/** A phone that answers by itself, which takes no time, would otherwise be answered for ever. */
const HELP_PAUSE_MS = 5_000

/** A press of a button, or a choice from a list: `inReplyTo` is the message that had it. */
type Pressed = { payload: string; pressId: string; inReplyTo: string | undefined }

/**
 * Does what a button says, if its message was sent to this number, and returns the answer. The
 * buttons that need a choice answer with a list, whose choice acts.
 */
export async function pressReply(
  deps: ReceiveDeps,
  { payload, pressId, inReplyTo }: Pressed,
  sender: Sender,
  at: Date,
): Promise<Content> {
  const press = readPayload(deps.sealer, payload)
  const recipient = press && (await selectOptionalRecipient(deps.db, press.attemptId, 'unlocked'))
  if (!press || !recipient || !(await isTheirs(deps, recipient, sender, { press, inReplyTo }))) {
    deps.log.warn({ attempt_id: press?.attemptId }, 'a button was pressed by another number')
    return textContent((await wordsFor(deps, sender, at)).say('whatsapp.foreign'))
  }
  const { db, engine, log } = deps
  const { attemptId, choice } = press
  // People can hide that they have read a message, but a press shows it.
  await recordStatus(db, engine, { attemptId }, { status: 'read', at })
  const answer = answerOf(press)
  const refusal = answer ? undefined : answerRefusal(recipient, at)
  if (!answer && !refusal) return choices(deps, press, recipient, at)
  const result = answer && (await answerNotice(deps, { attemptId, pressId, answer }, at))
  const outcome = result?.outcome ?? refusal ?? 'gone'
  const line = { booking_id: recipient.booking_id, person_id: recipient.person_id, outcome }
  log.info(line, 'a person at a venue answered by WhatsApp')
  if (result?.undelivered !== undefined) {
    const error = loggable(result.undelivered)
    log.warn({ ...line, error }, 'the sweep will deliver the answer of venue staff')
  }
  return textContent(await outcomeText(deps, recipient, { outcome, choice }))
}

/** What became of an answer, with the booking as it is now. */
async function outcomeText(
  { db }: ReceiveDeps,
  { venue_id: venueId, booking_id: bookingId, language }: Recipient,
  { outcome, choice }: { outcome: NoticeOutcome; choice: string | undefined },
): Promise<string> {
  const words = wordsOf(language)
  const { say } = words
  const booking = bookingId && (await selectOptionalVenueBooking(db, venueId, bookingId))
  if (!booking) return say('whatsapp.outcome.gone')
  const { status, slot_time: slotTime, party_size: guests } = booking
  const state = states.find((one) => one === status) ?? 'other'
  const isKept = status === 'confirmed' && (outcome === 'declined' || outcome === 'late')
  return say(`whatsapp.outcome.${isKept ? 'kept' : outcome}`, {
    when: timeText(words, slotTime),
    party: say('party', { guests }),
    choice: outcome === 'offered' && choice ? timeText(words, choice) : '',
    button: say('whatsapp.buttons.offer'),
    state: say(`whatsapp.state.${state}`),
  })
}

const states = ['confirmed', 'offered', 'declined', 'cancelled'] as const

/** Whether the message of this attempt went to this number and is the one that was answered. */
async function isTheirs(
  { db }: ReceiveDeps,
  recipient: Recipient,
  { digests }: Sender,
  { press, inReplyTo }: { press: Press; inReplyTo: string | undefined },
): Promise<boolean> {
  const isTheirNumber = digests.some((one) => one.equals(recipient.address_digest))
  if (recipient.channel_kind !== 'whatsapp' || !isTheirNumber) return false
  // A list was sent in answer to a press, so its choices come from another message.
  if (press.choice !== undefined) return true
  const sent = await selectProviderId(db, press.attemptId)
  return !sent || (inReplyTo !== undefined && messageKey(inReplyTo) === sent)
}

/** The answer that a press gives; undefined if it first needs a choice. */
function answerOf({ answer, choice = '' }: Press): NoticeAnswer | undefined {
  if (answer === 'accept') return { act: 'accept' }
  if (answer === 'offer') {
    return 'local' in parseSlotTime(choice) ? { act: 'offer', slotTime: choice } : undefined
  }
  const reason = declineReasons.find((one) => one === choice)
  return reason && { act: 'decline', reason }
}

/** The four reasons that a message asks for, in the order of the pages. */
const reasons = ['full', 'party_size', 'short_notice', 'closed'] as const

/** The list of times or of reasons; while it is not answered, nothing has happened. */
async function choices(
  { db, sealer }: ReceiveDeps,
  { answer, attemptId }: Press,
  recipient: Recipient,
  at: Date,
): Promise<Content> {
  const words = wordsOf(recipient.language)
  const venue = { id: recipient.venue_id, timezone: recipient.timezone }
  const about = { bookingId: recipient.booking_id ?? '', answerId: undefined }
  const { booking, times } = await readVenueBooking({ db }, venue, about, at)
  const when = timeText(words, booking.slot_time)
  const row = (choice: string, title: string) => ({
    id: payloadText(sealer, { answer, attemptId, choice }),
    title,
  })
  if (answer === 'decline') {
    const rows = reasons.map((one) => row(one, words.say(`staff.reasons.${one}`)))
    const question = words.say('whatsapp.decline.question', { when })
    return listContent(question, words.say('whatsapp.decline.choose'), rows)
  }
  if (times.length === 0) return textContent(words.say('whatsapp.offer.none', { when }))
  // A list has ten rows: the nearest times come first.
  const distance = (time: string) => Math.abs(Date.parse(time) - Date.parse(booking.slot_time))
  const nearest = times.toSorted((one, other) => distance(one) - distance(other))
  const rows = nearest.map((time) => row(time, timeText(words, time)))
  const question = words.say('whatsapp.offer.question', { when })
  return listContent(question, words.say('whatsapp.offer.choose'), rows)
}

/** What a text or a picture is answered with: the page; nothing to strangers. */
export async function helpReply(
  deps: ReceiveDeps,
  { channels }: Sender,
  at: Date,
): Promise<Content | undefined> {
  const heard = Math.max(0, ...channels.map(({ heard_at }) => heard_at?.getTime() ?? 0))
  if (channels.length === 0 || at.getTime() - heard < HELP_PAUSE_MS) return undefined
  const latest = await latestOf(deps, channels, at)
  const { say } = wordsOf(latest?.language ?? 'en')
  if (!latest) return textContent(say('whatsapp.helpShort'))
  const url = noticeUrl(deps.sealer, deps.publicUrl, latest.id)
  return textContent(say('whatsapp.help', { url }))
}

/** The one confirmation that a number gets no more messages. */
export const stopReply = async (deps: ReceiveDeps, sender: Sender, at: Date): Promise<Content> =>
  textContent((await wordsFor(deps, sender, at)).say('whatsapp.stopped'))

const latestOf = ({ db }: ReceiveDeps, channels: Sender['channels'], at: Date) =>
  selectLatestAttempt(
    db,
    channels.map(({ id }) => id),
    new Date(at.getTime() - RECENT_MS),
  )

const wordsFor = async (deps: ReceiveDeps, { channels }: Sender, at: Date): Promise<Words> =>
  wordsOf((await latestOf(deps, channels, at))?.language ?? 'en')
