import { MINUTE_MS } from '../../base/durations.ts'
import { addDays, dateOf, nightOf, toLocal } from '../../base/local-time.ts'
import { attempt, type Db } from '../../platform/database/sql.ts'
import { durationFor, type OfferedSlot, timesOn } from '../rules/slots.ts'
import { selectBookable } from '../store/bookable-slots.ts'
import type { CandidateSlot } from '../store/candidate-slots.ts'
import { releaseInventory } from '../store/inventory.ts'
import { type PartyService, partyServicesOf } from '../store/party-services.ts'
import { selectServicesOf } from '../store/venue-services.ts'
import {
  deleteOldWalkIns,
  insertWalkIn,
  type NewWalkIn,
  selectOptionalWalkIn,
  updateFreed,
  type WalkIn,
} from '../store/walk-ins.ts'
import { claimOf, takeInventory } from './evaluate-services.ts'

type Day = { venueId: string; partySize: number; date: string; at: Date }

/** Until when a party that came now would stay. */
function slotNow({ service, query }: PartyService, at: Date): OfferedSlot | undefined {
  const { timezone, rules, strategy } = service
  const minutes = durationFor(rules, query.partySize)
  if (strategy !== 'exclusive' || minutes === undefined) return undefined
  const startsAt = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS)
  const after = (more: number) => new Date(startsAt.getTime() + more * MINUTE_MS)
  const [endsAt, occupiedUntil] = [after(minutes), after(minutes + rules.buffer_minutes)]
  const slotTime = toLocal(timezone, startsAt)
  return { slotTime, startsAt, endsAt, occupiedUntil, cancelUntil: startsAt }
}

/**
 * What staff can give a party on a date: the present moment, if that is today, and the times of the
 * service. They need no notice, and may take more than the network after closing early. Venues with
 * a booking system of their own take walk-ins there.
 */
async function candidates(db: Db, { venueId, partySize, date, at }: Day): Promise<CandidateSlot[]> {
  const services = await selectServicesOf(db, venueId, { from: addDays(date, -1), to: date })
  const own = services
    .filter(({ confirm_mode, strategy }) => confirm_mode !== 'http' && strategy !== 'on_request')
    .map((one) => ({ ...one, exceptions: one.exceptions.filter(({ until }) => !until) }))
  return partyServicesOf(own, partySize).flatMap((one) => {
    const local = toLocal(one.service.timezone, at)
    const now = [dateOf(local), nightOf(local)].includes(date) ? slotNow(one, at) : undefined
    const later = timesOn({ ...one.query, date }).filter(({ startsAt }) => startsAt > at)
    return [...(now ? [now] : []), ...later].map((slot) => ({ ...one, slot }))
  })
}

/** A service with the times that it has for a party. */
export type FreeTimes = { serviceId: string; name: string; slots: readonly OfferedSlot[] }

/** The free times that staff can give a party on a date, by service. */
export async function freeTimes(db: Db, day: Day): Promise<FreeTimes[]> {
  const groups = Map.groupBy(await candidates(db, day), ({ service }) => service.id)
  const free = await selectBookable(db, groups, Number.POSITIVE_INFINITY)
  return [...free].flatMap(([serviceId, some]) => {
    const [first] = some
    return first
      ? [{ serviceId, name: first.service.name, slots: some.map(({ slot }) => slot) }]
      : []
  })
}

/** A time of a service on a date; null is now. */
export type TableChoice = { serviceId: string; slotTime: string | null; date: string }

/**
 * Gives a party a place at a venue, within a transaction; undefined if it has just been taken. A
 * second call with the same id takes nothing more.
 */
export async function seatParty(
  tx: Db,
  walkIn: NewWalkIn,
  { serviceId, slotTime, date }: TableChoice,
): Promise<WalkIn | undefined> {
  const { id, venueId, partySize, at } = walkIn
  const before = await selectOptionalWalkIn(tx, venueId, id)
  if (before) return before
  const choice = (await candidates(tx, { venueId, partySize, date, at })).find(
    ({ service, slot }) =>
      service.id === serviceId &&
      (slotTime === null ? slot.startsAt <= at : slot.slotTime === slotTime),
  )
  if (!choice) return undefined
  const { slot, service } = choice
  await deleteOldWalkIns(tx, venueId, at)
  const claim = { ...claimOf(choice, { bookingId: id, partySize }), isWalkIn: true }
  await attempt(tx, async () => {
    const isNew = await insertWalkIn(tx, walkIn, { serviceId, ...slot })
    return (isNew && (await takeInventory(tx, service, claim))) || undefined
  })
  return selectOptionalWalkIn(tx, venueId, id)
}

/** Frees the place of a walk-in, within a transaction; repeating it changes nothing. */
export async function freeWalkIn(tx: Db, walkIn: Omit<NewWalkIn, 'partySize'>): Promise<void> {
  if (await updateFreed(tx, walkIn)) await releaseInventory(tx, walkIn.id, { isWalkIn: true })
}
