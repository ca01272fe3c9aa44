import { readBookingsOn } from '../../confirmation/operations/venue-day.ts'
import { readVenueBooking } from '../../confirmation/operations/venue-page.ts'
import { selectOptionalDecider } from '../../confirmation/store/venue-responses.ts'
import type { Services } from '../../contract/operation.ts'
import { transaction } from '../../platform/database/sql.ts'
import { attemptOfNoticeLink, noticeLinkEndsAt } from '../rules/notice-link.ts'
import { answerRefusal } from '../steps/answer-notice.ts'
import { endChannel, insertOptOut, selectChannelsByDigest } from '../store/channels.ts'
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
  return told?.channel_kind === 'mail' ? told : undefined
}

/** Ends all emails to the address of this link, for ever; false if the link is invented. */
export async function stopMails(deps: Deps, token: string, at: Date): Promise<boolean> {
  const told = await readMailStop(deps, token)
  if (!told) return false
  await transaction(deps.db, async (tx) => {
    await insertOptOut(tx, told.address_digest, at)
    const channels = await selectChannelsByDigest(tx, [told.address_digest])
    for (const { id } of channels) await endChannel(tx, id, 'unsubscribed', at)
  })
  return true
}
