import type { RefusalData } from '../../base/errors.ts'
import type { StepContext, StepWork } from '../../bookings/hooks.ts'
import {
  changeWasIgnored,
  offerWasIgnored,
  reasons,
  venueCancels,
  venueWasSilent,
} from '../../bookings/rules/timeline-reasons.ts'
import { confirm } from '../../bookings/steps/confirm.ts'
import { cancelByVenue, end, endRefused } from '../../bookings/steps/end-booking.ts'
import { selectBooking } from '../../bookings/store/booking-view.ts'
import { type LockedBooking, updateBookingStatus } from '../../bookings/store/bookings.ts'
import { type Db, together } from '../../platform/database/sql.ts'
import { resolveVenueResponse } from '../rules/venue-responses.ts'
import { selectOptionalChange } from '../store/open-changes.ts'
import {
  type OpenResponse,
  selectDeclinedRevision,
  updateResponseEffect,
} from '../store/venue-responses.ts'
import { updateVenueAnsweredAt, updateVenueSync } from '../store/venue-sync.ts'
import { amendAsAgreed, confirmRestored, keepAsItIs, restore } from './end-change.ts'
import { offerSlot } from './offer-slot.ts'
import { reasonWords } from './venue-refusals.ts'

/** `refusal` is the agent's answer if the booking or the change is not confirmed. */
type Input = { response: OpenResponse; refusal: RefusalData }

/** Does what a response of the venue leads to, and stores the effect. */
export const applyVenueResponse: StepWork<Input, unknown> = async (
  tx,
  booking,
  { response, refusal },
  context,
) => {
  const { at } = context
  const effect = resolveVenueResponse(await subjectOf(tx, booking), response, at)
  if (effect === 'offer') return offer(tx, booking, response, context)
  const { answered_at: venueAnsweredAt } = response
  const acknowledged = { venueSync: 'acknowledged', venueAnsweredAt } as const
  const stored = updateResponseEffect(tx, booking.id, response.id, effect)
  if (effect === 'confirm') {
    const change = { ...acknowledged, ...reasons.venueConfirms }
    const [, done] = await together(stored, confirm(tx, booking, change, context))
    return done
  }
  await stored
  const nothing = { result: effect, events: [] }
  const { alternatives = [] } = refusal.facts ?? {}
  switch (effect) {
    case 'decline': {
      const move = { to: 'declined', reasonCode: 'venue_declined', nextActionAt: null } as const
      const ending = { ...move, ...acknowledged, ...reasons.venueDeclines, refusal }
      return endRefused(tx, booking, ending, context)
    }
    case 'expire':
      return expireUnanswered(tx, booking, { refusal, venueAnsweredAt }, context)
    case 'no_show': {
      const move = { to: 'no_show', reasonCode: 'no_show', nextActionAt: null } as const
      // The fee stays.
      return end(tx, booking, { ...move, ...reasons.venueReportsNoShow, venueAnsweredAt }, context)
    }
    case 'attended': {
      const move = { to: 'completed', reasonCode: 'attended', nextActionAt: null } as const
      const correction = { ...move, ...reasons.venueCorrectsNoShow, venueAnsweredAt }
      const result = await updateBookingStatus(tx, booking, correction, at)
      const data = { booking: await selectBooking(tx, booking.id) }
      return { result, events: [{ type: 'booking.completed', data }] }
    }
    case 'cancel': {
      const why = venueCancels(reasonWords(response.reason))
      return cancelByVenue(tx, booking, { venueAnsweredAt, alternatives, ...why }, context)
    }
    case 'amend':
      return amendAsAgreed(tx, booking, venueAnsweredAt, context)
    case 'keep':
      return keepAsItIs(tx, booking, { refusal, reason: reasons.venueRefusesChange }, context)
    case 'restore': {
      const isRevived = booking.change_revision !== response.revision
      const reason = isRevived ? reasons.venueRevivesChange : changeWasIgnored(booking)
      return restore(tx, booking, { refusal, reason }, context)
    }
    case 'restored':
      return confirmRestored(tx, booking, venueAnsweredAt, context)
    case 'not_restored': {
      const withdrawal = { venueSync: 'withdraw_due', nextActionAt: at } as const
      const move = { ...withdrawal, venueAnsweredAt, ...reasons.venueCannotGoBack, alternatives }
      return cancelByVenue(tx, booking, move, context)
    }
    case 'withdraw': {
      const due = { venueSync: 'withdraw_due', venueAnsweredAt, nextActionAt: at } as const
      const change = { ...due, ...reasons.venueIsWrong }
      return { ...nothing, result: await updateVenueSync(tx, booking, change, at) }
    }
    case 'withdrawn': {
      const before = booking.venue_answered_at
      const latest = before && before > venueAnsweredAt ? before : venueAnsweredAt
      const done = { venueSync: 'withdrawn', nextActionAt: null, venueAnsweredAt: latest } as const
      const change = { ...done, ...reasons.venueAcknowledges }
      return { ...nothing, result: await updateVenueSync(tx, booking, change, at) }
    }
    case 'repeated':
      await updateVenueAnsweredAt(tx, booking.id, venueAnsweredAt)
      return nothing
    default:
      return nothing
  }
}

const offer: StepWork<OpenResponse, unknown> = async (tx, booking, response, context) => {
  const offered = await offerSlot(tx, booking, response, context)
  await updateResponseEffect(tx, booking.id, response.id, offered ? 'offer' : 'slot_unavailable')
  return offered ?? { result: 'slot_unavailable', events: [] }
}

/** Ends the wait for the venue, or for the agent to answer its offer; withdraws what was asked. */
export function expireUnanswered(
  tx: Db,
  booking: LockedBooking,
  input: { refusal: RefusalData; venueAnsweredAt?: Date },
  context: StepContext,
) {
  const { status, venue_sync } = booking
  const [reasonCode, reason] =
    status === 'offered'
      ? (['offer_expired', offerWasIgnored(booking)] as const)
      : (['venue_no_answer', venueWasSilent(booking)] as const)
  const withdrawal =
    venue_sync === 'not_sent'
      ? { nextActionAt: null }
      : ({ venueSync: 'withdraw_due', nextActionAt: context.at } as const)
  const ending = { to: 'expired', reasonCode, ...reason, ...withdrawal, ...input } as const
  return endRefused(tx, booking, ending, context)
}

/** The booking as the rules judge responses. */
async function subjectOf(tx: Db, booking: LockedBooking) {
  const { id, change_phase: phase, change_revision: revision, starts_at } = booking
  const target = phase === 'asked' ? await selectOptionalChange(tx, id) : undefined
  const isAtSystem = booking.status === 'confirmed' && booking.confirm_mode === 'http'
  return {
    ...booking,
    answered_at: booking.venue_answered_at,
    withdraw_due: booking.venue_sync === 'withdraw_due',
    change:
      phase === null || revision === null
        ? null
        : { phase, revision, starts_at: target?.starts_at ?? starts_at },
    declined_revision: isAtSystem ? await selectDeclinedRevision(tx, id) : null,
  }
}
