import { randomUUID } from 'node:crypto'
import { timeOf } from '../../base/account-time.ts'
import type { FailureKind } from '../../base/http-failures.ts'
import type { BookingStart } from '../../bookings/rules/booking-messages.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import { signedHeaders } from '../../platform/http/signature.ts'
import { venueLinkUrl } from '../rules/venue-link.ts'
import { NOTICE_TRIES } from '../rules/venue-patience.ts'
import { contactContext } from '../store/venue-contacts.ts'
import { insertLink } from '../store/venue-links.ts'
import {
  clearNotice,
  countNoticeFailure,
  type DueNotice,
  selectOptionalNotice,
} from '../store/venue-notices.ts'
import type { VenueDeps } from './call-venue.ts'

const DEADLINE_MS = 10_000
const LINK_DAYS = 7

/**
 * Sends the due notice to the operator's address for the venue: a subject and a link, never guest
 * details. Throws in order to be retried. Gives up once the address has failed NOTICE_TRIES times,
 * as the venue's page shows everything too; failures on our side do not count.
 */
export async function notifyVenue(
  deps: VenueDeps,
  start: BookingStart,
  signal: AbortSignal,
): Promise<string> {
  const { bookingId } = start
  const notice = await selectOptionalNotice(deps.db, bookingId)
  if (!notice) return 'nothing to send'
  if (isAnswered(notice)) {
    await clearNotice(deps.db, notice)
    return 'answered before it was sent'
  }
  const failure = notice.is_test
    ? await deps.testVenues.notify(notice, timeOf(start))
    : await post(deps, notice, signal)
  const line = { booking_id: bookingId, venue: notice.venue_slug, type: notice.kind }
  if (failure) {
    const tries = await countNoticeFailure(deps.db, notice)
    deps.log.warn({ ...line, failure, tries }, 'a notice did not reach its venue')
    if (tries === undefined || tries < NOTICE_TRIES) throw new Error(failure)
  } else deps.log.info(line, 'a venue was notified')
  await clearNotice(deps.db, notice)
  return failure ?? notice.kind
}

/** Whether the request was answered or cancelled, or expired, while its notice was waiting. */
const isAnswered = ({ kind, status }: DueNotice) =>
  kind !== 'booking.changed' && status !== 'pending'

/** Failures on our side, before the request can reach the address. */
const ownFailures: readonly FailureKind[] = ['busy', 'aborted']

/** Undefined if the address accepted the notice; otherwise the failure. */
async function post(
  deps: VenueDeps,
  notice: DueNotice,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { url, secret: sealed, venue_id, booking_id, kind, revision, status, answer_by } = notice
  if (!url || !sealed) return undefined
  const { outbound, sealer, publicUrl } = deps
  const secret = sealer.open(sealed, contactContext(venue_id))
  // Every attempt has this id, so that a receiver recognizes a notice whose response was lost.
  const id = `msg_${booking_id}_${kind.replace('.', '_')}_${revision}`
  const timestamp = Math.floor(Date.now() / 1000)
  const link = await insertLink(deps.db, {
    id: randomUUID(),
    venueId: venue_id,
    bookingId: booking_id,
    days: LINK_DAYS,
    at: new Date(),
  })
  const body = JSON.stringify({
    type: kind,
    timestamp: new Date().toISOString(),
    data: {
      venue: notice.venue_slug,
      booking_id,
      booking_status: status,
      answer_by: answer_by?.toISOString() ?? null,
      link: `${venueLinkUrl(sealer, publicUrl, link)}/bookings/${booking_id}`,
    },
  })
  try {
    const answer = await outbound.send({
      url,
      method: 'POST',
      headers: {
        'user-agent': 'venue-network-notice/1',
        ...signedHeaders([secret], { id, timestamp, body }),
      },
      body,
      deadlineMs: DEADLINE_MS,
      maxBodyBytes: 16 * 1024,
      signal,
    })
    return answer.status >= 200 && answer.status < 300 ? undefined : `status ${answer.status}`
  } catch (error) {
    if (!(error instanceof OutboundError) || ownFailures.includes(error.kind)) throw error
    return error.kind
  }
}
