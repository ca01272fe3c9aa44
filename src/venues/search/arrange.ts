import { NEAR_MS } from '../../availability/store/next-slots.ts'
import { toInstantPastGap } from '../../base/local-time.ts'
import type { Slot, Venue } from '../../contract/public.ts'
import type { RequestedTime } from './requested-time.ts'

/**
 * A venue with its availability. A lower `standing` means a better match to the rest of the query;
 * a lower `order`, a better fit to the requested price or hours. `isLess`: its services lack what
 * those of others have, or only its description has it.
 */
export type Candidate = {
  venue: Pick<Venue, 'timezone' | 'availability'>
  standing: number
  order: number
  isLess: boolean
}

/**
 * Sorts candidates for display: venues named in the query first, lesser matches last, then those
 * with a slot near the wanted time (null if the query has neither party nor time), then by order,
 * standing and earliest slot. With `nearestFirst`, standing comes before that slot.
 */
export function arrange<C extends Candidate>(
  candidates: readonly C[],
  time: RequestedTime | null,
  { nearestFirst = false } = {},
): C[] {
  const keyed = candidates.map((candidate) => {
    const { venue, standing, order, isLess } = candidate
    const isMissed = standing >= 0 && time !== null && !hasSlotNear(venue.availability, time)
    const missed = isMissed ? 1 : 0
    const match = nearestFirst ? [standing, missed, order] : [missed, order, standing]
    const key = [standing < 0 ? 0 : 1, isLess ? 1 : 0, ...match, startOf(venue)]
    return { candidate, key }
  })
  return keyed.sort((one, other) => compare(one.key, other.key)).map(({ candidate }) => candidate)
}

function compare(one: readonly number[], other: readonly number[]): number {
  const index = one.findIndex((value, position) => value !== other[position])
  return index < 0 ? 0 : (one[index] ?? 0) - (other[index] ?? 0)
}

function startOf({ availability }: Candidate['venue']): number {
  const [first] = availability.slots
  return first ? Date.parse(first.starts_at) : Number.MAX_SAFE_INTEGER
}

/** Whether a slot is near or in the wanted time or, without one, on the wanted date. */
export function hasSlotNear(
  { timezone, slots }: { timezone: string; slots: readonly Slot[] },
  { date, time, until }: Pick<RequestedTime, 'date' | 'time' | 'until'>,
): boolean {
  if (date === null) return slots.length > 0
  if (time === null) return slots.some(({ slot_time }) => slot_time.startsWith(date))
  const wanted = toInstantPastGap(timezone, `${date}T${time}:00`).getTime()
  const [first, last] = [wanted - NEAR_MS, lastWanted(wanted, until)]
  return slots
    .map(({ starts_at }) => Date.parse(starts_at))
    .some((start) => first <= start && start <= last)
}

/** Until when (ms) a slot fits: near the time or, of a part of the day, in it. */
export const lastWanted = (wanted: number, until?: Date): number =>
  Math.max(wanted + NEAR_MS, until?.getTime() ?? 0)
