import {
  agree,
  confirm,
  end,
  hasAllHolds,
  keepBoth,
  type Model,
  type ModelBooking,
  move,
  reverse,
  take,
} from './model.ts'
import type { Outcome } from './world.ts'

/**
 * What becomes of a booking when an operation is done to it and nobody else acts; changes the model
 * accordingly.
 */
export type Predict = (model: Model, booking: ModelBooking, wish: Wish) => Outcome

/** What a booking is to become, for operations that change it. */
export type Wish = { slotTime: string; partySize: number }

export const stays = (_: Model, booking: ModelBooking) => booking.status

const becomes = (booking: ModelBooking, status: Outcome): Outcome => {
  booking.status = status
  return status
}

export const predictOpening = (model: Model, booking: ModelBooking): Outcome =>
  becomes(booking, take(model, booking) ? 'held' : 'refused: slot_unavailable')

export const predictHold = (model: Model, booking: ModelBooking): Outcome => {
  if (!take(model, booking)) return becomes(booking, 'refused: slot_unavailable')
  if (hasAllHolds(model)) return end(booking, 'refused: hold_limit')
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

const isAsked = ({ status }: ModelBooking) => status === 'pending' || status === 'offered'

/**
 * Another time is taken in place of the one that was asked for, which the booking keeps until its
 * agent accepts.
 */
export const predictOffer = (model: Model, booking: ModelBooking, wish: Wish): Outcome => {
  const { status, slotTime, partySize } = booking
  if (status !== 'pending' || wish.slotTime === slotTime) return status
  if (!move(model, booking, { slotTime: wish.slotTime, partySize })) return status
  booking.slotTime = slotTime
  booking.offered = wish.slotTime
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

/** Nobody came, which may be said and taken back again and again; the fee stays. */
export const predictNoShow = (_: Model, booking: ModelBooking): Outcome =>
  booking.status === 'confirmed' || booking.status === 'completed'
    ? end(booking, 'no_show')
    : booking.status

export const predictYes = (_: Model, booking: ModelBooking): Outcome => {
  const { status, change } = booking
  if (typeof change === 'object') return agree(booking, change)
  booking.change = undefined
  return status === 'pending' ? confirm(booking) : status
}

/**
 * No to what the venue was asked last: the booking, a change of it, or that it stays as it was
 * before a change. Of two people who answer, the one who says no does not know of the other's yes.
 */
export const predictNo = (model: Model, booking: ModelBooking): Outcome => {
  if (typeof booking.change !== 'object') {
    const isOfPeople = model.arena.kind.confirmMode === 'request'
    if (booking.status === 'confirmed' && isOfPeople) return 'confirmed'
    return predictVenueCancels(model, booking)
  }
  booking.change = undefined
  return booking.status
}

export const predictVenueCancels = (_: Model, booking: ModelBooking): Outcome => {
  if (isAsked(booking)) return end(booking, 'declined')
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
  if (!isAsked(booking) && booking.status !== 'confirmed') return booking.status
  reverse(booking)
  return end(booking, 'cancelled')
}

export const predictAmendment = (model: Model, booking: ModelBooking, wish: Wish): Outcome => {
  const { status, partySize, fees } = booking
  if (status === 'pending' || status === 'offered') return 'refused: not_decided_yet'
  if (status === 'expired') return 'refused: hold_expired'
  if (status !== 'held' && status !== 'confirmed') return 'refused: already_final'
  const { confirmMode } = model.arena.kind
  if (status === 'confirmed' && confirmMode === 'request') return 'refused: amend_not_supported'
  if (status === 'confirmed' && confirmMode === 'http') return predictChange(model, booking, wish)
  if (!move(model, booking, wish)) return 'refused: slot_unavailable'
  if (status === 'confirmed' && partySize !== wish.partySize) {
    fees.accrued += 1
    fees.reversed += 1
  }
  return status
}

const isSame = (one: Wish, other: Wish) =>
  one.slotTime === other.slotTime && one.partySize === other.partySize

/** The venue is asked; to the agent the booking stays as it is. */
const predictChange: Predict = (model, booking, wish) => {
  const { status, change } = booking
  if (typeof change === 'object' && isSame(change, wish)) return status
  if (change) return 'refused: not_decided_yet'
  if (isSame(booking, wish) || keepBoth(model, booking, wish)) return status
  return 'refused: slot_unavailable'
}

/** The time of a venue that was asked is over. */
export const predictSilence: Predict = (_, booking) => {
  if (isAsked(booking)) return end(booking, 'expired')
  if (booking.change) booking.change = 'restoring'
  return booking.status
}

/** Time passes at what is held, or at a venue that nobody has told of a change yet. */
export const predictEndOfHold: Predict = (_, booking) => {
  if (booking.status === 'held') return end(booking, 'expired')
  if (typeof booking.change === 'object') booking.change = undefined
  return booking.status
}

/** Ends what stands at `from`, and leaves everything else. */
export const endsAs = (from: Outcome, to: Outcome) => (_: Model, booking: ModelBooking) =>
  booking.status === from ? end(booking, to) : booking.status
