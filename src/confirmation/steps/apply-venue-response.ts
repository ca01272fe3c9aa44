import type { StepContext } from '../../bookings/hooks.ts'
import {
  changeWasIgnored,
  offerWasIgnored,
  reasons,
  venueWasSilent,
} from '../../bookings/rules/timeline-reasons.ts'
import { confirm } from '../../bookings/steps/confirm-booking.ts'
import { cancelByVenue, endRefused } from '../../bookings/steps/end-booking.ts'
import type { LockedBooking } from '../../bookings/store/bookings.ts'
import type { Done } from '../../bookings/store/transitions.ts'
import type { RefusalData } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import {
  type RequestedChange,
  type ResponseSubject,
  resolveVenueResponse,
} from '../rules/venue-responses.ts'
import { selectOptionalChange } from '../store/open-changes.ts'
import {
  type OpenResponse,
  selectDeclinedRevision,
  updateResponseEffect,
} from '../store/venue-responses.ts'
import { updateVenueAnsweredAt, updateVenueSync } from '../store/venue-sync.ts'
import { amendAsAgreed, keepAsItIs, notRestored, restore, restored } from './end-change.ts'
import { attended, missed } from './no-show.ts'
import { offerSlot } from './offer-slot.ts'

/** `refusal` is what the agent is told if it comes to nothing. */
type Hearing = StepContext & { refusal: RefusalData }

/** Does what a statement of the venue leads to, and notes it. Part of a step's transaction. */
export async function applyVenueResponse(
  tx: Db,
  booking: LockedBooking,
  statement: OpenResponse,
  { refusal, ...context }: Hearing,
): Promise<Done<unknown>> {
  const { at } = context
  const effect = resolveVenueResponse(await askedBooking(tx, booking), statement, at)
  if (effect === 'offer') return offer(tx, booking, statement, context)
  await updateResponseEffect(tx, booking.id, statement.id, effect)
  const { answeredAt: venueAnsweredAt } = statement
  const nothing = { result: effect, events: [] }
  switch (effect) {
    case 'confirm':
      return confirm(tx, booking, context, {
        venueSync: 'acknowledged',
        venueAnsweredAt,
        ...reasons.venueConfirms,
        at,
      })
    case 'decline': {
      const known = { venueSync: 'acknowledged', venueAnsweredAt, nextActionAt: null, at } as const
      const reason = reasons.venueDeclines
      const move = { to: 'declined', reasonCode: 'venue_declined', ...known, ...reason } as const
      return endRefused(tx, booking, move, refusal, context)
    }
    case 'expire':
      return expireUnanswered(tx, booking, { ...context, refusal, venueAnsweredAt })
    case 'no_show':
      return missed(tx, booking, venueAnsweredAt, context)
    case 'attended':
      return attended(tx, booking, venueAnsweredAt, at)
    case 'cancel':
      return cancelByVenue(tx, booking, venueAnsweredAt, context)
    case 'amend':
      return amendAsAgreed(tx, booking, { ...context, venueAnsweredAt })
    case 'keep':
      return keepAsItIs(tx, booking, { ...context, refusal, reason: reasons.venueRefusesChange })
    case 'restore': {
      const isRevived = booking.change_revision !== statement.revision
      const reason = isRevived ? reasons.venueRevivesChange : changeWasIgnored(booking.answer_by)
      return restore(tx, booking, { ...context, refusal, reason })
    }
    case 'restored':
      return restored(tx, booking, { venueAnsweredAt, at })
    case 'not_restored':
      return notRestored(tx, booking, { ...context, venueAnsweredAt })
    case 'withdraw': {
      const due = { venueSync: 'withdraw_due', venueAnsweredAt, nextActionAt: at, at } as const
      const change = { ...due, ...reasons.venueIsWrong }
      return { ...nothing, result: await updateVenueSync(tx, booking, change) }
    }
    case 'withdrawn': {
      const before = booking.venue_answered_at
      const latest = before && before > venueAnsweredAt ? before : venueAnsweredAt
      const done = { venueSync: 'withdrawn', nextActionAt: null, at } as const
      const change = { ...done, ...reasons.venueAcknowledges, venueAnsweredAt: latest }
      return { ...nothing, result: await updateVenueSync(tx, booking, change) }
    }
    case 'repeated':
      await updateVenueAnsweredAt(tx, booking.id, venueAnsweredAt)
      return nothing
    default:
      return nothing
  }
}

async function offer(
  tx: Db,
  booking: LockedBooking,
  { id, offeredSlotTime, answeredAt: venueAnsweredAt }: OpenResponse,
  context: StepContext,
): Promise<Done<unknown>> {
  const proposal = { ...context, slotTime: offeredSlotTime ?? '', venueAnsweredAt }
  const offered = await offerSlot(tx, booking, proposal)
  await updateResponseEffect(tx, booking.id, id, offered ? 'offer' : 'slot_unavailable')
  return offered ?? { result: 'slot_unavailable', events: [] }
}

/** Ends the wait for a venue, or for the agent that it made an offer: what it was asked, if it was, must be withdrawn. */
export function expireUnanswered(
  tx: Db,
  booking: LockedBooking,
  { refusal, venueAnsweredAt, ...context }: Hearing & { venueAnsweredAt?: Date },
) {
  const { at } = context
  const asked = booking.venue_sync !== 'not_sent'
  const withdrawal = asked ? ({ venueSync: 'withdraw_due', nextActionAt: at } as const) : {}
  return endRefused(
    tx,
    booking,
    {
      to: 'expired',
      reasonCode: booking.status === 'offered' ? 'offer_expired' : 'venue_no_answer',
      nextActionAt: null,
      ...(booking.status === 'offered' ? offerWasIgnored : venueWasSilent)(booking.answer_by),
      ...withdrawal,
      ...(venueAnsweredAt && { venueAnsweredAt }),
      at,
    },
    refusal,
    context,
  )
}

const askedBooking = async (tx: Db, booking: LockedBooking): Promise<ResponseSubject> => ({
  status: booking.status,
  confirmMode: booking.confirm_mode,
  revision: booking.revision,
  startsAt: booking.starts_at,
  endsAt: booking.ends_at,
  answerBy: booking.answer_by,
  askedRevision: booking.asked_revision,
  answeredAt: booking.venue_answered_at,
  withdrawDue: booking.venue_sync === 'withdraw_due',
  change: await askedChange(tx, booking),
  declinedRevision:
    booking.status === 'confirmed' && booking.confirm_mode === 'http'
      ? await selectDeclinedRevision(tx, booking.id)
      : null,
})

async function askedChange(tx: Db, booking: LockedBooking): Promise<RequestedChange | null> {
  const { id, change_phase: phase, change_revision: revision, starts_at } = booking
  if (phase === null || revision === null) return null
  const change = phase === 'asked' ? await selectOptionalChange(tx, id) : undefined
  return { phase, revision, startsAt: change?.startsAt ?? starts_at }
}
