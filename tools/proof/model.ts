import { MOST_HOLDS } from '../../src/bookings/rules/booking.ts'
import type { Arena } from './arena.ts'
import type { Outcome } from './world.ts'

/** A booking as the model knows it. */
export type ModelBooking = {
  slotTime: string
  partySize: number
  status: Outcome
  /** an explicit hold, that waits for its confirmation; and whether it was extended */
  hold: 'none' | 'explicit' | 'extended'
  /** which of the arena's resources it takes, while it occupies */
  taken: readonly Taken[]
  places: number
  /**
   * what it is to become, and what is kept for that, while its venue is asked; or that the venue is
   * told that this is off
   */
  change?: ModelChange | 'restoring' | undefined
  fees: { accrued: number; reversed: number }
  /** the time that its venue proposes and that it takes meanwhile */
  offered?: string
}
type ModelChange = { slotTime: string; partySize: number; taken: readonly Taken[] }
type Taken = { kind: string; index: number; from: number; until: number }

/** What a venue should know of itself, kept in memory by the simplest rules that could be right. */
export type Model = { arena: Arena; bookings: ModelBooking[] }

const HOUR_MS = 3_600_000
const fromOf = (slotTime: string) => Date.parse(`${slotTime}Z`)

/** A request for this time: what becomes of it depends on what the others occupy. */
export function newBooking(model: Model, slotTime: string, partySize: number): ModelBooking {
  const nothing = { hold: 'none', taken: [], places: 0, fees: { accrued: 0, reversed: 0 } }
  const booking = { slotTime, partySize, status: 'refused: unknown', ...nothing } as ModelBooking
  model.bookings.push(booking)
  return booking
}

/** Whether the account has as many explicit holds as it may. */
export const hasAllHolds = ({ bookings }: Model): boolean =>
  bookings.filter(({ status, hold }) => status === 'held' && hold !== 'none').length >= MOST_HOLDS

/** Takes what the booking needs, if there is enough; false otherwise. */
export function take(model: Model, booking: ModelBooking): boolean {
  return model.arena.kind.places > 0 ? takeSeats(model, booking) : takeResources(model, booking)
}

function takeSeats({ arena, bookings }: Model, booking: ModelBooking): boolean {
  const sameTime = bookings.filter(({ slotTime }) => slotTime === booking.slotTime)
  const used = sameTime.reduce((sum, { places }) => sum + places, 0)
  if (used + booking.partySize > arena.kind.places) return false
  booking.places = booking.partySize
  return true
}

function takeResources({ arena, bookings }: Model, booking: ModelBooking): boolean {
  const from = fromOf(booking.slotTime)
  const until = from + HOUR_MS
  const others = bookings.flatMap(({ taken, change }) => [...taken, ...takenFor(change)])
  const found = arena.kind.requires.map(({ kind, per }) => {
    const isFree = (index: number) =>
      !others.some(
        (other) =>
          other.kind === kind && other.index === index && other.from < until && from < other.until,
      )
    const all = Array.from({ length: arena.kind.stock[kind] ?? 0 }, (_, index) => index)
    const wanted = per === 'guest' ? booking.partySize : 1
    const free = all.filter(isFree).slice(0, wanted)
    return free.length === wanted ? free.map((index) => ({ kind, index, from, until })) : undefined
  })
  if (found.some((one) => one === undefined)) return false
  booking.taken = found.flatMap((one) => one ?? [])
  return true
}

/**
 * The booking takes another time or party instead; false, and all is as before, if there is not
 * enough.
 */
export function move(
  model: Model,
  booking: ModelBooking,
  to: Pick<ModelBooking, 'slotTime' | 'partySize'>,
): boolean {
  const { slotTime, partySize, taken, places } = booking
  Object.assign(booking, to, { taken: [], places: 0 })
  if (take(model, booking)) return true
  Object.assign(booking, { slotTime, partySize, taken, places })
  return false
}

const takenFor = (change: ModelBooking['change']) =>
  typeof change === 'object' ? change.taken : []

/**
 * The booking takes what it is to become beside what it has; false, and all is as before, if there
 * is not enough.
 */
export function keepBoth(
  model: Model,
  booking: ModelBooking,
  to: Pick<ModelBooking, 'slotTime' | 'partySize'>,
): boolean {
  const { slotTime, partySize, taken } = booking
  const isFree = move(model, booking, to)
  const change = { ...to, taken: booking.taken }
  Object.assign(booking, { slotTime, partySize, taken })
  if (isFree) booking.change = change
  return isFree
}

/**
 * Resources that it takes, counting those that are kept for a change where they are not its own at
 * the same time.
 */
export function resourcesOf({ taken, change }: ModelBooking): number {
  const isOwn = ({ kind, index, from }: Taken) =>
    taken.some((own) => own.kind === kind && own.index === index && own.from === from)
  return taken.length + takenFor(change).filter((one) => !isOwn(one)).length
}

/** The booking becomes what its venue was asked for. */
export function agree(booking: ModelBooking, { slotTime, partySize, taken }: ModelChange): Outcome {
  if (partySize !== booking.partySize) {
    booking.fees.accrued += 1
    booking.fees.reversed += 1
  }
  Object.assign(booking, { slotTime, partySize, taken, change: undefined })
  return booking.status
}

/** The booking ends as `status` and gives everything back. */
export function end(booking: ModelBooking, status: Outcome): Outcome {
  booking.taken = []
  booking.places = 0
  booking.change = undefined
  booking.status = status
  return status
}

/** The booking is confirmed and owes its fee. */
export function confirm(booking: ModelBooking): Outcome {
  booking.fees.accrued += 1
  booking.status = 'confirmed'
  return 'confirmed'
}

/** The fee of the booking is taken back, if it owes one. */
export function reverse(booking: ModelBooking): void {
  booking.fees.reversed = booking.fees.accrued
}
