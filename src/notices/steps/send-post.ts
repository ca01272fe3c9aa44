import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { venueLinkUrl } from '../../confirmation/rules/venue-link.ts'
import { insertLink } from '../../confirmation/store/venue-links.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import { signedHeaders } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { ChannelSender, SendResult } from '../rules/channel.ts'
import type { BookingInNotice, NoticeMessage } from '../rules/message.ts'
import { selectVenueOfPerson } from '../store/people.ts'

const DEADLINE_MS = 10_000
const LINK_DAYS = 7

/** What the signed POST needs. */
export type PostDeps = {
  db: Pool
  outbound: Pick<Outbound, 'send'>
  sealer: Pick<Sealer, 'tokens'>
  publicUrl: string
}

const postAddress = z.object({ url: z.string(), secret: z.string() })

/**
 * Posts a subject and a link to the operator's address, never guest details; signed by Standard
 * Webhooks. Every try has the same id, so that a receiver recognizes a notice whose response was
 * lost.
 */
export const createPostSender =
  (deps: PostDeps): ChannelSender =>
  async (message, address, _, signal): Promise<SendResult> => {
    const { url, secret } = postAddress.parse(JSON.parse(address))
    const body = JSON.stringify({
      type: typeOf(message),
      timestamp: new Date().toISOString(),
      data: await dataOf(deps, message),
    })
    const timestamp = Math.floor(Date.now() / 1000)
    const { status } = await deps.outbound.send({
      ...{ url, method: 'POST', body, signal },
      headers: {
        'user-agent': 'venue-network-notice/1',
        ...signedHeaders([secret], { id: idOf(message), timestamp, body }),
      },
      deadlineMs: DEADLINE_MS,
      maxBodyBytes: 16 * 1024,
    })
    if (status >= 200 && status < 300) return { status: 'sent' }
    const failure = `status ${status}`
    if (status === 410) return { status: 'failed', failure, ends: 'gone' }
    if (isTemporary(status)) throw new Error(failure)
    return { status: 'failed', failure }
  }

/** Answers after which the same request may succeed (RFC 9110, section 15; RFC 6585, section 4). */
const isTemporary = (status: number) => status >= 500 || status === 408 || status === 429

/** The end of a booking is a change, too, as it was before there were notices of other kinds. */
const typeOf = ({ kind }: NoticeMessage) =>
  kind === 'booking.cancelled' ? 'booking.changed' : kind

const idOf = (message: NoticeMessage) => {
  const type = typeOf(message).replace('.', '_')
  const { booking, attemptId } = message
  return booking ? `msg_${booking.id}_${type}_${booking.revision}` : `msg_${attemptId}_${type}`
}

async function dataOf(deps: PostDeps, { venue, booking, day, url, person }: NoticeMessage) {
  if (booking) return bookingData(deps, venue.slug, booking, person.id)
  return { venue: venue.slug, date: day?.date, bookings: day?.bookings.length, link: url }
}

async function bookingData(
  { db, sealer, publicUrl }: PostDeps,
  slug: string,
  { id, status, answerBy }: BookingInNotice,
  personId: string,
) {
  const venueId = await selectVenueOfPerson(db, personId)
  const link = await insertLink(db, {
    ...{ id: randomUUID(), venueId, bookingId: id, days: LINK_DAYS, at: new Date() },
  })
  return {
    venue: slug,
    booking_id: id,
    booking_status: status,
    answer_by: answerBy?.toISOString() ?? null,
    link: `${venueLinkUrl(sealer, publicUrl, link)}/bookings/${id}`,
  }
}
