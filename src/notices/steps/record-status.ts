import type { TimelineReason } from '../../bookings/rules/timeline.ts'
import { selectBookingForUpdate } from '../../bookings/store/bookings.ts'
import { appendToTimeline } from '../../bookings/store/timeline.ts'
import { type Db, type Pool, transaction } from '../../platform/database/sql.ts'
import type { NoticeEngine } from '../engine.ts'
import type { ChannelKind } from '../rules/channel.ts'
import { isNews, type MessageStatus } from '../rules/message-status.ts'
import * as stored from '../store/attempts.ts'
import { selectOptionalStart } from '../store/notices.ts'

/**
 * Records what became of a message, and wakes its notice. Reports that are late, repeated or about
 * an erased attempt change nothing. Returns whether this was news.
 */
export async function recordStatus(
  db: Pool,
  engine: Pick<NoticeEngine, 'wakeNotice'>,
  ref: stored.AttemptRef,
  report: stored.NewStatus,
): Promise<boolean> {
  const attempt = await stored.selectOptionalAttempt(db, ref)
  if (!attempt) return false
  const isNew = await transaction(db, (tx) => storeStatus(tx, attempt, report))
  const start = isNew ? await selectOptionalStart(db, attempt.notice_id) : undefined
  // The notice looks again at its next timer, too.
  if (start) await engine.wakeNotice(start, `${attempt.id} ${report.status}`).catch(() => {})
  return isNew
}

type Attempt = { id: string; booking_id: string | null; channel_kind: ChannelKind }

/** Part of a transaction: stores a status that is news, with a line of the booking's timeline. */
export async function storeStatus(
  tx: Db,
  attempt: Attempt,
  report: stored.NewStatus,
): Promise<boolean> {
  const { id, booking_id: bookingId, channel_kind: kind } = attempt
  const { status, at } = report
  const words = lines[status]
  const isShown = bookingId !== null && words !== undefined
  // Every step locks the booking first.
  const booking = isShown ? await selectBookingForUpdate(tx, bookingId) : undefined
  const before = await stored.lockOptionalStatus(tx, id)
  if (!before || !isNews(before, status)) return false
  await stored.updateStatus(tx, id, report)
  if (booking && words) await appendToTimeline(tx, booking, words(channelNames[kind]), at)
  return true
}

const channelNames: Record<ChannelKind, string> = {
  whatsapp: 'by WhatsApp',
  mail: 'by email',
  push: 'in the browser',
  post: 'at its operator’s address',
}

const line = (by: TimelineReason['by'], why: string, what: string): TimelineReason => ({
  ...{ by, why, what },
})

const lines: Partial<Record<MessageStatus, (how: string) => TimelineReason>> = {
  sent: (how) =>
    line('network', 'Its people are told of its bookings.', `The venue was notified ${how}.`),
  read: (how) =>
    line('venue', `It was notified ${how}.`, 'A person at the venue has seen the notice.'),
  failed: (how) =>
    line(
      'network',
      'The message did not arrive. The next way is used, if there is one.',
      `The venue could not be notified ${how}.`,
    ),
}
