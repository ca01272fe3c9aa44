import { readBookingsOn } from '../../confirmation/operations/venue-day.ts'
import { readVenueBooking } from '../../confirmation/operations/venue-page.ts'
import { selectOptionalDecider } from '../../confirmation/store/venue-responses.ts'
import type { Services } from '../../contract/operation.ts'
import { attemptOfNoticeLink, noticeLinkEndsAt } from '../rules/notice-link.ts'
import { answerRefusal } from '../steps/answer-notice.ts'
import { stopAddress } from '../steps/stop-address.ts'
import { deleteOptOut, isOptedOut } from '../store/channels.ts'
import { selectOptionalRecipient } from '../store/recipients.ts'

type Deps = Pick<Services, 'db' | 'egress'>

async function readRecipient({ db, egress }: Deps, token: string) {
  const attemptId = attemptOfNoticeLink(egress, token)
  return attemptId === undefined ? undefined : selectOptionalRecipient(db, attemptId, 'unlocked')
}

/** What a person at a venue sees behind the link in a message. */
export type NoticeSubject = NonNullable<Awaited<ReturnType<typeof readNotice>>>

/** Undefined for a link that is invented or old, or whose person or channel was removed. */
export async function readNotice(deps: Deps, token: string, at: Date) {
  const { db } = deps
  const recipient = await readRecipient(deps, token)
  if (!recipient || recipient.is_removed || recipient.is_ended) return undefined
  if (noticeLinkEndsAt(recipient.created_at) <= at) return undefined
  const { booking_id: bookingId, day, timezone } = recipient
  const page = { recipient, at }
  const venue = { id: recipient.venue_id, timezone }
  if (!bookingId) {
    const all = day === null ? [] : await readBookingsOn({ db }, venue, day)
    const list = all.filter(({ status }) => status === 'confirmed')
    return { ...page, list, booking: undefined }
  }
  const of = { bookingId, answerId: undefined }
  const { booking, times } = await readVenueBooking({ db }, venue, of, at)
  const decidedBy = await selectOptionalDecider(db, bookingId)
  const refusal = answerRefusal(recipient, at)
  return { ...page, booking, times, decidedBy, refusal, list: undefined }
}

/** The email address that a link's message was sent to; undefined if it was not an email. */
export async function readMailStop(deps: Deps, token: string) {
  const recipient = await readRecipient(deps, token)
  if (recipient?.channel_kind !== 'mail') return undefined
  return { ...recipient, isStopped: await isOptedOut(deps.db, [recipient.address_digest]) }
}

/** Ends all emails to the address to which this link was sent; false for an invented link. */
export async function stopMails(
  deps: Deps & Parameters<typeof stopAddress>[0],
  token: string,
  at: Date,
): Promise<boolean> {
  const recipient = await readMailStop(deps, token)
  if (recipient) await stopAddress(deps, [recipient.address_digest], 'unsubscribed', at)
  return recipient !== undefined
}

/** Lets this address be added again, which its owner must then confirm; false as `stopMails`. */
export async function allowMails(deps: Deps, token: string): Promise<boolean> {
  const recipient = await readMailStop(deps, token)
  if (recipient) await deleteOptOut(deps.db, recipient.address_digest)
  return recipient !== undefined
}
