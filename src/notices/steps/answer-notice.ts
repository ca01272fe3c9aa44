import type { BookingStatus } from '../../base/booking-status.ts'
import { parseSlotTime } from '../../base/local-time.ts'
import type { BookingContext } from '../../bookings/engine.ts'
import type { DeclineReason } from '../../confirmation/rules/venue-responses.ts'
import { announceAnswer } from '../../confirmation/steps/announce-answer.ts'
import { selectOptionalStartAt } from '../../confirmation/store/booking-starts.ts'
import {
  insertDecision,
  selectEffect,
  selectOpenResponses,
  selectOptionalDecider,
} from '../../confirmation/store/venue-responses.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { noticeLinkEndsAt } from '../rules/notice-link.ts'
import { type Recipient, selectOptionalRecipient } from '../store/recipients.ts'

/** What a person presses in a message or on its page. */
export type NoticeAnswer =
  | { act: 'accept' }
  | { act: 'offer'; slotTime: string }
  | { act: 'decline'; reason: DeclineReason }

/**
 * What an answer did. `recorded`: it takes effect later. `decided`: the booking was decided before,
 * by anyone. `changed`: the booking is no longer what the message says. `taken`: the offered time
 * is not free. `late`: the time to answer is over. `gone`: the message no longer allows an answer.
 */
export type NoticeOutcome =
  | 'accepted'
  | 'offered'
  | 'declined'
  | 'recorded'
  | 'decided'
  | 'changed'
  | 'taken'
  | 'late'
  | 'gone'

/** An outcome, the booking's status after it, and who at the venue decided, if that is known. */
export type NoticeResult = {
  outcome: NoticeOutcome
  status: BookingStatus | null
  decidedBy: string | null
  /** why the answer will be announced only by the sweep */
  undelivered?: unknown
}

/** One press: `pressId` is the id of the form or of the incoming message, and counts once. */
type Press = { attemptId: string; pressId: string; answer: NoticeAnswer }

/**
 * Answers a request for the person who was told of it by this attempt, waiting up to 3 s for the
 * effect. A press on an old message changes nothing. A stored answer is never lost.
 */
export async function answerNotice(
  deps: Pick<BookingContext, 'db' | 'engine'>,
  { attemptId, pressId, answer }: Press,
  at: Date,
): Promise<NoticeResult> {
  const { db } = deps
  const id = answerIdOf(pressId, answer)
  const recipient = await selectOptionalRecipient(db, attemptId, 'unlocked')
  if (!recipient?.booking_id) return { outcome: 'gone', status: null, decidedBy: null }
  const { booking_id: bookingId, venue_id: venueId } = recipient
  const refused = await transaction(db, (tx) => store(tx, attemptId, { id, answer }, at))
  const start = !refused && (await selectOptionalStartAt(db, venueId, bookingId))
  const { undelivered } = start ? await announceAnswer(deps, start, id) : {}
  const outcome = refused ?? (await outcomeOf(db, bookingId, id))
  const now = await selectOptionalRecipient(db, attemptId, 'unlocked')
  const decidedBy = (await selectOptionalDecider(db, bookingId)) ?? null
  const result = { outcome, status: now?.status ?? null, decidedBy }
  return undelivered === undefined ? result : { ...result, undelivered }
}

const answerIdOf = (pressId: string, answer: NoticeAnswer) =>
  `notice_${pressId}_${Object.values(answer).join('_')}`.replaceAll(/[^\w-]/g, '')

const statusOf = { accept: 'confirmed', offer: 'offered', decline: 'declined' } as const

/** Stores the answer, or returns why it is refused. A repeated press is not refused. */
async function store(
  tx: Db,
  attemptId: string,
  { id, answer }: { id: string; answer: NoticeAnswer },
  at: Date,
): Promise<NoticeOutcome | undefined> {
  const recipient = await selectOptionalRecipient(tx, attemptId, 'locked')
  if (!recipient?.booking_id) return 'gone'
  const { booking_id: bookingId, person_id: personId, revision } = recipient
  if ((await selectEffect(tx, bookingId, id)) !== null) return undefined
  const refused = answerRefusal(recipient, at)
  if (refused) return refused
  if (answer.act === 'offer' && !('local' in parseSlotTime(answer.slotTime))) return 'taken'
  const isStored = await insertDecision(tx, {
    ...{ bookingId, id, personId, revision: revision ?? 0, status: statusOf[answer.act] },
    ...{ answeredAt: at, receivedAt: at },
    offeredSlotTime: answer.act === 'offer' ? answer.slotTime : undefined,
    reason: answer.act === 'decline' ? answer.reason : undefined,
  })
  if (isStored) return undefined
  // Too many times were offered, or somebody has pressed in the same millisecond.
  return answer.act === 'offer' ? 'taken' : 'decided'
}

/** Why a person cannot answer a request, if so. */
export function answerRefusal(recipient: Recipient, at: Date): NoticeOutcome | undefined {
  const { is_removed, is_ended, kind, created_at, answer_by, status } = recipient
  const isRequest = kind === 'request.waiting' || kind === 'request.reminder'
  const isOpen = isRequest && recipient.confirm_mode === 'request'
  if (is_removed || is_ended || !isOpen || noticeLinkEndsAt(created_at) <= at) return 'gone'
  if (status !== 'pending' && !recipient.is_change_asked) return 'decided'
  if (recipient.revision !== recipient.asked_revision) return 'changed'
  return answer_by && answer_by <= at ? 'late' : undefined
}

const outcomes: Partial<Record<string, NoticeOutcome>> = {
  confirm: 'accepted',
  amend: 'accepted',
  keep: 'declined',
  offer: 'offered',
  decline: 'declined',
  slot_unavailable: 'taken',
  expire: 'late',
  other_revision: 'changed',
}

async function outcomeOf(db: Db, bookingId: string, id: string): Promise<NoticeOutcome> {
  const effect = await selectEffect(db, bookingId, id)
  if (effect !== null) return outcomes[effect] ?? 'decided'
  // The first of the answers that wait will count.
  const [first] = await selectOpenResponses(db, bookingId)
  return !first || first.id === id ? 'recorded' : 'decided'
}
