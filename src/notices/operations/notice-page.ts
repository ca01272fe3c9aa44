import { readBookingsOn } from '../../confirmation/operations/venue-day.ts'
import { readVenueBooking } from '../../confirmation/operations/venue-page.ts'
import { selectOptionalDecider } from '../../confirmation/store/venue-responses.ts'
import type { Services } from '../../contract/operation.ts'
import { attemptOfNoticeLink, noticeLinkEndsAt } from '../rules/notice-link.ts'
import { answerRefusal } from '../steps/answer-notice.ts'
import { stopAddress } from '../steps/stop-address.ts'
import { deleteOptOut, isOptedOut } from '../store/channels.ts'
import { selectOptionalTold } from '../store/told-people.ts'

type Deps = Pick<Services, 'db' | 'egress'>

async function readTold({ db, egress }: Deps, token: string) {
  const attemptId = attemptOfNoticeLink(egress, token)
  return attemptId === undefined ? undefined : selectOptionalTold(db, attemptId, 'unlocked')
}

/** What a person at a venue sees behind the link in a message. */
export type NoticeSubject = NonNullable<Awaited<ReturnType<typeof readNotice>>>

/** Undefined for a link that is invented or old, or whose person or channel was removed. */
export async function readNotice(deps: Deps, token: string, at: Date) {
  const { db } = deps
  const told = await readTold(deps, token)
  if (!told || told.is_removed || told.is_ended) return undefined
  if (noticeLinkEndsAt(told.created_at) <= at) return undefined
  const { booking_id: bookingId, day, timezone } = told
  const page = { told, at }
  const venue = { id: told.venue_id, timezone }
  if (!bookingId) {
    const all = day === null ? [] : await readBookingsOn({ db }, venue, day)
    const list = all.filter(({ status }) => status === 'confirmed')
    return { ...page, list, booking: undefined }
  }
  const of = { bookingId, answerId: undefined }
  const { booking, times } = await readVenueBooking({ db }, venue, of, at)
  const decidedBy = await selectOptionalDecider(db, bookingId)
  const refusal = answerRefusal(told, at)
  return { ...page, booking, times, decidedBy, refusal, list: undefined }
}

/** The email address that a link's message was sent to; undefined if it was not an email. */
export async function readMailStop(deps: Deps, token: string) {
  const told = await readTold(deps, token)
  if (told?.channel_kind !== 'mail') return undefined
  return { ...told, isStopped: await isOptedOut(deps.db, [told.address_digest]) }
}

/** Ends all emails to the address to which this link was sent; false for an invented link. */
export async function stopMails(
  deps: Deps & Parameters<typeof stopAddress>[0],
  token: string,
  at: Date,
): Promise<boolean> {
  const told = await readMailStop(deps, token)
  if (told) await stopAddress(deps, [told.address_digest], 'unsubscribed', at)
  return told !== undefined
}

/** Lets this address be added again, which its owner must then confirm; false as `stopMails`. */
export async function allowMails(deps: Deps, token: string): Promise<boolean> {
  const told = await readMailStop(deps, token)
  if (told) await deleteOptOut(deps.db, told.address_digest)
  return told !== undefined
}
