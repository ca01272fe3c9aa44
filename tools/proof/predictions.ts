import {
  acceptChange,
  confirm,
  end,
  holdChange,
  isAtHoldLimit,
  type Model,
  type ModelBooking,
  move,
  refusalOf,
  reverse,
  take,
} from './model.ts'
import type { Outcome } from './world.ts'

/** Applies an operation to the model and returns its outcome without concurrency. */
export type Predict = (model: Model, booking: ModelBooking, requested: RequestedSlot) => Outcome

/** The slot and party size of an operation. */
export type RequestedSlot = { slotTime: string; partySize: number }

export const unchanged = (_: Model, booking: ModelBooking) => booking.status

const becomes = (booking: ModelBooking, status: Outcome): Outcome => {
  booking.status = status
  return status
}

export const predictOpening = (model: Model, booking: ModelBooking): Outcome =>
  becomes(booking, take(model, booking) ? 'held' : refusalOf(model, booking))

export const predictHold = (model: Model, booking: ModelBooking): Outcome => {
  if (!take(model, booking)) return becomes(booking, refusalOf(model, booking))
  if (isAtHoldLimit(model)) return end(booking, 'refused: hold_limit')
  booking.hold = 'explicit'
  return becomes(booking, 'held')
}

const predictDecision = ({ arena }: Model, booking: ModelBooking): Outcome => {
  if (booking.status !== 'held') return booking.status
  return arena.kind.confirmMode === 'auto' ? confirm(booking) : becomes(booking, 'pending')
}

export const predictBooking = (model: Model, booking: ModelBooking): Outcome => {
  predictOpening(model, booking)
  return predictDecision(model, booking)
}

const awaitsVenue = ({ status }: ModelBooking) => status === 'pending' || status === 'offered'

/**
 * The proposed time is held in place of the requested one; the booking keeps its time until the
 * proposal is accepted.
 */
export const predictOffer = (
  model: Model,
  booking: ModelBooking,
  requested: RequestedSlot,
): Outcome => {
  const { status, slotTime, partySize } = booking
  if (status !== 'pending' || requested.slotTime === slotTime) return status
  if (!move(model, booking, { slotTime: requested.slotTime, partySize })) return status
  booking.slotTime = slotTime
  booking.offered = requested.slotTime
  return becomes(booking, 'offered')
}

export const predictAcceptance = (_: Model, booking: ModelBooking): Outcome => {
  const { status, slotTime, offered = slotTime } = booking
  if (status === 'expired') return 'refused: offer_expired'
  if (status !== 'offered') return status === 'confirmed' ? status : 'refused: no_offer'
  booking.slotTime = offered
  return confirm(booking)
}

export const predictRejection = (_: Model, booking: ModelBooking): Outcome => {
  if (booking.status === 'expired') return 'refused: offer_expired'
  if (booking.status === 'offered') return end(booking, 'declined')
  return booking.status === 'declined' ? booking.status : 'refused: no_offer'
}

/** A no-show can be reported and withdrawn repeatedly; the fee stays. */
export const predictNoShow = (_: Model, booking: ModelBooking): Outcome =>
  booking.status === 'confirmed' || booking.status === 'completed'
    ? end(booking, 'no_show')
    : booking.status

export const predictVenueConfirms = (_: Model, booking: ModelBooking): Outcome => {
  const { status, change } = booking
  if (typeof change === 'object') return acceptChange(booking, change)
  booking.change = undefined
  return status === 'pending' ? confirm(booking) : status
}

/**
 * A no to what was last asked: the booking, a change, or undoing a change. If two staff members
 * answer, the no of one does not override the yes of the other.
 */
export const predictVenueDeclines = (model: Model, booking: ModelBooking): Outcome => {
  if (typeof booking.change !== 'object') {
    const isOfPeople = model.arena.kind.confirmMode === 'request'
    if (booking.status === 'confirmed' && isOfPeople) return 'confirmed'
    return predictVenueCancels(model, booking)
  }
  booking.change = undefined
  return booking.status
}

export const predictVenueCancels = (_: Model, booking: ModelBooking): Outcome => {
  if (awaitsVenue(booking)) return end(booking, 'declined')
  if (booking.status !== 'confirmed') return booking.status
  reverse(booking)
  return end(booking, 'cancelled')
}

export const predictExtension = (_: Model, booking: ModelBooking): Outcome => {
  if (booking.status === 'expired') return 'refused: hold_expired'
  if (booking.status !== 'held' || booking.hold === 'none') return 'refused: already_final'
  if (booking.hold === 'extended') return 'refused: already_extended'
  booking.hold = 'extended'
  return 'held'
}

export const predictRelease = (_: Model, booking: ModelBooking): Outcome => {
  if (booking.status === 'held') return end(booking, 'released')
  const isFree = booking.status === 'released' || booking.status === 'expired'
  return isFree ? booking.status : 'refused: already_final'
}

export const predictConfirmation = (model: Model, booking: ModelBooking): Outcome => {
  if (booking.status === 'expired') return 'refused: hold_expired'
  const isOver = !['held', 'pending', 'offered', 'confirmed'].includes(booking.status)
  return isOver ? 'refused: already_final' : predictDecision(model, booking)
}

export const predictTooLate = (_: Model, booking: ModelBooking): Outcome => {
  end(booking, 'expired')
  return 'refused: hold_expired'
}

export const predictCancellation = (_: Model, booking: ModelBooking): Outcome => {
  const { status } = booking
  if (status === 'completed' || status === 'no_show') return 'refused: already_final'
  if (booking.status === 'held') return end(booking, 'released')
  if (!awaitsVenue(booking) && booking.status !== 'confirmed') return booking.status
  reverse(booking)
  return end(booking, 'cancelled')
}

export const predictAmendment = (
  model: Model,
  booking: ModelBooking,
  requested: RequestedSlot,
): Outcome => {
  const { status, partySize, fees } = booking
  const { confirmMode } = model.arena.kind
  const isAsked = ['pending', 'offered', 'confirmed'].includes(status)
  if (isAsked && confirmMode === 'request') return 'refused: amend_not_supported'
  if (status === 'pending' || status === 'offered') return 'refused: not_decided_yet'
  if (status === 'expired') return 'refused: hold_expired'
  if (status !== 'held' && status !== 'confirmed') return 'refused: already_final'
  if (status === 'confirmed' && confirmMode === 'http')
    return predictChange(model, booking, requested)
  if (!move(model, booking, requested)) return refusalOf(model, { ...booking, ...requested })
  if (status === 'confirmed' && partySize !== requested.partySize) {
    fees.accrued += 1
    fees.reversed += 1
  }
  return status
}

const isSame = (one: RequestedSlot, other: RequestedSlot) =>
  one.slotTime === other.slotTime && one.partySize === other.partySize

/** The venue is asked for a change; the agent still sees the unchanged booking. */
const predictChange: Predict = (model, booking, requested) => {
  const { status, change } = booking
  if (typeof change === 'object' && isSame(change, requested)) return status
  if (change) return 'refused: not_decided_yet'
  if (isSame(booking, requested) || holdChange(model, booking, requested)) return status
  return 'refused: slot_unavailable'
}

/** The venue's deadline has passed. */
export const predictTimeout: Predict = (_, booking) => {
  if (awaitsVenue(booking)) return end(booking, 'expired')
  if (booking.change) booking.change = 'restoring'
  return booking.status
}

/** A hold expires, or a change that never reached the venue ends. */
export const predictHoldExpiry: Predict = (_, booking) => {
  if (booking.status === 'held') return end(booking, 'expired')
  if (typeof booking.change === 'object') booking.change = undefined
  return booking.status
}

/** Ends a booking in status `from`; leaves others unchanged. */
export const endsAs = (from: Outcome, to: Outcome) => (_: Model, booking: ModelBooking) =>
  booking.status === from ? end(booking, to) : booking.status
