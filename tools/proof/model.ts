import { MINUTE_MS } from '../../src/base/durations.ts'
import { MAX_HOLDS } from '../../src/bookings/rules/booking.ts'
import { type Arena, type ArenaService, type ArenaSession, LEADER, servicesOf } from './arena.ts'
import type { Outcome } from './world.ts'

/** The model of a booking. */
export type ModelBooking = {
  slotTime: string
  partySize: number
  /** the position of its service; until it is taken, of the one asked for */
  service?: number | undefined
  status: Outcome
  /** explicit holds await a confirmation; also whether the hold was extended */
  hold: 'none' | 'explicit' | 'extended'
  /** the arena's resources it holds, while its status occupies them */
  taken: readonly Taken[]
  places: number
  /**
   * the requested change and the inventory held for it; `restoring` while it is being undone at the
   * venue
   */
  change?: ModelChange | 'restoring' | undefined
  fees: { accrued: number; reversed: number }
  /** the time that its venue proposes, held until the agent answers */
  offered?: string
}
type ModelChange = { slotTime: string; partySize: number; taken: readonly Taken[] }
type Taken = { kind: string; index: number; from: number; until: number }

/** The expected state of a venue, by the simplest rules that could be right. */
export type Model = { arena: Arena; bookings: ModelBooking[] }

const fromOf = (slotTime: string) => Date.parse(`${slotTime}Z`)

/** Adds a request; its outcome depends on what the other bookings occupy. */
export function newBooking(
  model: Model,
  { slotTime, partySize, service }: Pick<ModelBooking, 'slotTime' | 'partySize' | 'service'>,
): ModelBooking {
  const nothing = { hold: 'none', taken: [], places: 0, fees: { accrued: 0, reversed: 0 } }
  const booking = {
    slotTime,
    partySize,
    service,
    status: 'refused: unknown',
    ...nothing,
  } as ModelBooking
  model.bookings.push(booking)
  return booking
}

export const isAtHoldLimit = ({ bookings }: Model): boolean =>
  bookings.filter(({ status, hold }) => status === 'held' && hold !== 'none').length >= MAX_HOLDS

/** Takes the inventory the booking needs; false if there is not enough. */
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

/** Why a booking is refused if it cannot be taken: a requested class may have no session then. */
export function refusalOf({ arena }: Model, { service, slotTime }: ModelBooking): Outcome {
  const { sessions } = servicesOf(arena.kind)[service ?? -1] ?? {}
  const isOff = sessions?.every(({ slot }) => arena.slotTimes[slot] !== slotTime)
  return isOff ? 'refused: slot_off_grid' : 'refused: slot_unavailable'
}

/** Takes what the first service with room needs, or the one asked for. */
function takeResources(model: Model, booking: ModelBooking): boolean {
  const position = servicesOf(model.arena.kind).findIndex(
    (service, at) =>
      (booking.service === undefined || booking.service === at) &&
      (service.sessions
        ? takePlaces(model, booking, service.sessions, at)
        : takeFor(model, booking, service, at)),
  )
  if (position < 0) return false
  booking.service = position
  return true
}

function takePlaces(
  { arena, bookings }: Model,
  booking: ModelBooking,
  sessions: readonly ArenaSession[],
  position: number,
): boolean {
  const { slotTime, partySize } = booking
  const places = sessions.find(({ slot }) => arena.slotTimes[slot] === slotTime)?.places ?? 0
  const others = bookings.filter((one) => one.slotTime === slotTime && one.service === position)
  const used = others.reduce((sum, one) => sum + one.places, 0)
  if (used + partySize > places) return false
  booking.places = partySize
  return true
}

/** Whether a resource leads a session between two times, buffers included. */
function leads({ arena }: Model, kind: string, index: number, from: number, until: number) {
  return servicesOf(arena.kind).some(({ sessions = [], minutes, buffer }) =>
    sessions.some(({ slot, leader }) => {
      const begins = fromOf(arena.slotTimes[slot] ?? '')
      const ends = begins + (minutes + buffer) * MINUTE_MS
      return kind === LEADER && leader === index && begins < until && from < ends
    }),
  )
}

function takeFor(
  model: Model,
  booking: ModelBooking,
  { minutes, buffer, requires }: ArenaService,
  position: number,
): boolean {
  const { arena, bookings } = model
  const from = fromOf(booking.slotTime)
  const until = from + (minutes + buffer) * MINUTE_MS
  const others = bookings.flatMap(({ taken, change }) => [...taken, ...takenFor(change)])
  const allocations = requires.map(({ kind, per }) => {
    const isFree = (index: number) =>
      !leads(model, kind, index, from, until) &&
      !others.some(
        (other) =>
          other.kind === kind && other.index === index && other.from < until && from < other.until,
      )
    const limited = position > 0 ? (arena.kind.limited?.[kind] ?? 0) : 0
    const able = (arena.kind.stock[kind] ?? 0) - limited
    const all = Array.from({ length: able }, (_, index) => limited + index)
    const count = per === 'guest' ? booking.partySize : 1
    const free = all.filter(isFree).slice(0, count)
    return free.length === count ? free.map((index) => ({ kind, index, from, until })) : undefined
  })
  if (allocations.some((one) => one === undefined)) return false
  booking.taken = allocations.flatMap((one) => one ?? [])
  return true
}

/** Moves the booking to another time or party size; false and unchanged if there is not enough. */
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

/** Holds extra inventory for a change; false and unchanged if there is not enough. */
export function holdChange(
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

/** Distinct resources held by the booking and its change. */
export function resourcesOf({ taken, change }: ModelBooking): number {
  const isOwn = ({ kind, index, from }: Taken) =>
    taken.some((own) => own.kind === kind && own.index === index && own.from === from)
  return taken.length + takenFor(change).filter((one) => !isOwn(one)).length
}

/** Applies the change that the venue accepted. */
export function acceptChange(
  booking: ModelBooking,
  { slotTime, partySize, taken }: ModelChange,
): Outcome {
  if (partySize !== booking.partySize) {
    booking.fees.accrued += 1
    booking.fees.reversed += 1
  }
  Object.assign(booking, { slotTime, partySize, taken, change: undefined })
  return booking.status
}

/** Ends the booking as `status` and releases its inventory. */
export function end(booking: ModelBooking, status: Outcome): Outcome {
  booking.taken = []
  booking.places = 0
  booking.change = undefined
  booking.status = status
  return status
}

/** Confirms the booking and accrues its fee. */
export function confirm(booking: ModelBooking): Outcome {
  booking.fees.accrued += 1
  booking.status = 'confirmed'
  return 'confirmed'
}

/** Reverses the fee, if one is owed. */
export function reverse(booking: ModelBooking): void {
  booking.fees.reversed = booking.fees.accrued
}
