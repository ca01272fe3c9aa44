import { isChangeClosed } from '../../availability/store/change-inventory.ts'
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
import { type ResponseEffect, resolveVenueResponse } from '../rules/venue-responses.ts'
import { selectOptionalChange } from '../store/open-changes.ts'
import {
  type OpenResponse,
  selectDeclinedRevision,
  updateResponseEffect,
} from '../store/venue-responses.ts'
import { updateVenueAnsweredAt, updateVenueSync } from '../store/venue-sync.ts'
import { amendAsAgreed, confirmRestored, keepAsItIs, restore } from './end-change.ts'
import { offerSlot } from './offer-slot.ts'
import { reasonWords, type VenueRefusal } from './venue-refusals.ts'

/** `refusal` is the answer for the agent if the booking or the change is not confirmed. */
type Input = { response: OpenResponse; refusal: VenueRefusal }

/** Determines the effect of a venue's response, applies it and stores it. */
export const applyVenueResponse: StepWork<Input, unknown> = async (tx, booking, input, context) => {
  const { response } = input
  const effect = resolveVenueResponse(await subjectOf(tx, booking), response, context.at)
  const [, done] = await together(
    updateResponseEffect(tx, booking.id, response.id, effect),
    effects[effect](tx, booking, input, context),
  )
  return done
}

const nothing =
  (result: ResponseEffect): StepWork<Input, unknown> =>
  async () => ({ result, events: [] })

/** The action for each effect. */
const effects: Record<ResponseEffect, StepWork<Input, unknown>> = {
  confirm: (tx, booking, { response }, context) =>
    confirm(tx, booking, { ...acknowledged(response), ...reasons.venueConfirms }, context),

  decline(tx, booking, { response, refusal }, context) {
    const move = { to: 'declined', reasonCode: 'venue_declined', nextActionAt: null } as const
    const ending = { ...move, ...acknowledged(response), ...reasons.venueDeclines, refusal }
    return endRefused(tx, booking, ending, context)
  },

  async offer(tx, booking, { response }, context) {
    const offer = await offerSlot(tx, booking, response, context)
    if (offer) return offer
    const effect = 'slot_unavailable'
    await updateResponseEffect(tx, booking.id, response.id, effect)
    return { result: effect, events: [] }
  },

  expire: (tx, booking, { response, refusal }, context) =>
    expireUnanswered(tx, booking, { refusal, venueAnsweredAt: response.answered_at }, context),

  cancel(tx, booking, { response, refusal }, context) {
    const { alternatives = [] } = refusal.facts
    const why = venueCancels(reasonWords(response.reason))
    const move = { venueAnsweredAt: response.answered_at, alternatives, ...why }
    return cancelByVenue(tx, booking, move, context)
  },

  /** The fee stays. */
  no_show(tx, booking, { response }, context) {
    const move = { to: 'no_show', reasonCode: 'no_show', nextActionAt: null } as const
    const venueAnsweredAt = response.answered_at
    return end(tx, booking, { ...move, ...reasons.venueReportsNoShow, venueAnsweredAt }, context)
  },

  async attended(tx, booking, { response }, { at }) {
    const move = { to: 'completed', reasonCode: 'attended', nextActionAt: null } as const
    const venueAnsweredAt = response.answered_at
    const correction = { ...move, ...reasons.venueCorrectsNoShow, venueAnsweredAt }
    const result = await updateBookingStatus(tx, booking, correction, at)
    const data = { booking: await selectBooking(tx, booking.id) }
    return { result, events: [{ type: 'booking.completed', data }] }
  },

  async withdraw(tx, booking, { response }, { at }) {
    const due = { venueSync: 'withdraw_due', nextActionAt: at } as const
    const change = { ...due, venueAnsweredAt: response.answered_at, ...reasons.venueIsWrong }
    return { result: await updateVenueSync(tx, booking, change, at), events: [] }
  },

  async withdrawn(tx, booking, { response }, { at }) {
    const before = booking.venue_answered_at
    const { answered_at } = response
    const venueAnsweredAt = before && before > answered_at ? before : answered_at
    const done = { venueSync: 'withdrawn', nextActionAt: null, venueAnsweredAt } as const
    const change = { ...done, ...reasons.venueAcknowledges }
    return { result: await updateVenueSync(tx, booking, change, at), events: [] }
  },

  async amend(tx, booking, { response, refusal }, context) {
    return (await isChangeClosed(tx, booking.id))
      ? restore(tx, booking, { refusal, reason: reasons.sessionIsCancelled }, context)
      : amendAsAgreed(tx, booking, response.answered_at, context)
  },

  keep: (tx, booking, { refusal }, context) =>
    keepAsItIs(tx, booking, { refusal, reason: reasons.venueRefusesChange }, context),

  restore(tx, booking, { response, refusal }, context) {
    const isRevived = booking.change_revision !== response.revision
    const reason = isRevived ? reasons.venueRevivesChange : changeWasIgnored(booking)
    return restore(tx, booking, { refusal, reason }, context)
  },

  restored: (tx, booking, { response }, context) =>
    confirmRestored(tx, booking, response.answered_at, context),

  not_restored(tx, booking, { response, refusal }, context) {
    const { alternatives = [] } = refusal.facts
    const withdrawal = { venueSync: 'withdraw_due', nextActionAt: context.at } as const
    const why = { venueAnsweredAt: response.answered_at, ...reasons.venueCannotGoBack }
    return cancelByVenue(tx, booking, { ...withdrawal, ...why, alternatives }, context)
  },

  async repeated(tx, booking, { response }) {
    await updateVenueAnsweredAt(tx, booking.id, response.answered_at)
    return { result: 'repeated', events: [] }
  },

  superseded: nothing('superseded'),
  other_revision: nothing('other_revision'),
  too_early: nothing('too_early'),
  too_late: nothing('too_late'),
  over: nothing('over'),
}

const acknowledged = ({ answered_at }: OpenResponse) =>
  ({ venueSync: 'acknowledged', venueAnsweredAt: answered_at }) as const

/** Ends the wait for the venue, or for the agent to answer an offer, and withdraws the request. */
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

/** The booking in the form required by the rules for responses. */
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
