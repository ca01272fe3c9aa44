import { lockCounters } from '../availability/store/inventory.ts'
import { MINUTE_MS } from '../base/durations.ts'
import type { BookingHooks, VenueConfirmation } from '../bookings/hooks.ts'
import { actsAt } from '../bookings/rules/in-time.ts'
import { reasons } from '../bookings/rules/timeline-reasons.ts'
import { appendToTimeline } from '../bookings/store/timeline.ts'
import { acceptOffer, refuseOffer } from './steps/answer-offer.ts'
import { applyVenueResponses } from './steps/apply-venue-responses.ts'
import { requestChange } from './steps/request-change.ts'
import { requestStaffConfirmation, requestVenueConfirmation } from './steps/request-confirmation.ts'
import { selectTakesAmend } from './store/connectors.ts'
import { deleteChange, selectOptionalChange } from './store/open-changes.ts'
import { setListedNoticeDue, setNoticeDue, updateRemindedAt } from './store/venue-notices.ts'
import { updateNextAction } from './store/venue-sync.ts'

/** How venues with their own system, and people at venues, confirm bookings. */
export const venueConfirmation: VenueConfirmation = {
  async request(tx, booking, context) {
    const isHttp = booking.confirm_mode === 'http'
    return (isHttp ? requestVenueConfirmation : requestStaffConfirmation)(tx, booking, context)
  },

  async remind(tx, pending, at) {
    await appendToTimeline(tx, pending, reasons.venueIsReminded, at)
    await updateRemindedAt(tx, pending.id, at)
    await setNoticeDue(tx, pending.id, 'request.reminder')
    const result = await updateNextAction(tx, pending, actsAt(pending.answer_by ?? at))
    return { result, events: [] }
  },

  takesChanges: selectTakesAmend,

  async isChangeRequested(tx, { id, change_phase }, wanted) {
    const change = change_phase === 'asked' ? await selectOptionalChange(tx, id) : undefined
    if (!change) return false
    const { slotTime, partySize, serviceId = change.service_id, session = null } = wanted
    const lasts = (change.ends_at.getTime() - change.starts_at.getTime()) / MINUTE_MS
    const { minutes = lasts, leaderId = null } = wanted
    const isSame =
      change.service_id === serviceId && change.session === session && change.leader_id === leaderId
    const isSameSlot = change.slot_time === slotTime && change.party_size === partySize
    return isSame && isSameSlot && lasts === minutes
  },

  requestChange,

  async announceMove(tx, { id }, slotTime) {
    await setListedNoticeDue(tx, id, 'booking.changed', slotTime)
  },

  async close(tx, from, { to, cancelledBy, venueAnsweredAt }) {
    const isByVenue = cancelledBy === 'venue' || venueAnsweredAt !== undefined
    if (from.status !== 'held' && !isByVenue) {
      const set = from.confirm_mode === 'request' ? setNoticeDue : setListedNoticeDue
      await set(tx, from.id, to === 'cancelled' ? 'booking.cancelled' : 'booking.changed')
    }
    if (from.change_phase !== 'asked') return
    await lockCounters(tx, from.id)
    await deleteChange(tx, from.id)
  },

  commands: { accept_offer: acceptOffer, refuse_offer: refuseOffer },
}

/** Applies a venue's responses before anything else happens to a booking. */
export const confirmationHooks: Partial<BookingHooks> = {
  async beforeDue(...step) {
    await applyVenueResponses(...step)
  },
}
