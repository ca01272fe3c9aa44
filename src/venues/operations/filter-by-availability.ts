import { z } from 'zod'
import { localDate, refusePast } from '../../availability/operations/wanted-slot.ts'
import { selectAvailability } from '../../availability/store/availability.ts'
import {
  type AvailableVenue,
  type Near,
  selectAvailableNear,
} from '../../availability/store/available-near.ts'
import type { VenueRow } from '../../availability/store/venues.ts'
import type { Context } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { toInstantPastGap, toLocal } from '../../contract/rules/slot-time.ts'
import { NEAR_MS } from '../search/arrange.ts'
import type { RequestedTime } from '../search/requested-time.ts'
import type { Visit } from '../search/visit.ts'
import { SLOTS_IN_LIST } from './present-venues.ts'

const DAY_MS = 86_400_000

/** Input with which only venues are answered that are free then. */
export const slotFields = {
  party_size: z.int32().min(1).optional().describe('Only venues that are free for so many guests'),
  date: localDate.optional().describe('Only venues that are free on this local date: YYYY-MM-DD'),
  time: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'expected a time as in 19:00')
    .optional()
    .describe('Only venues that are free within 90 minutes of this local time: HH:MM')
    .meta({ examples: ['19:00'] }),
}

/** What was said in those fields. */
export type SlotFilters = {
  party_size?: number | undefined
  date?: string | undefined
  time?: string | undefined
}

export const hasSlotFilters = ({ party_size, date, time }: SlotFilters): boolean =>
  party_size !== undefined || date !== undefined || time !== undefined

/** The visit of a sentence with what was said explicitFilters in their place. */
export function explicitFilters(visit: Visit, { party_size, date, time }: SlotFilters): Visit {
  const [year = 0, month = 0, day = 0] = (date ?? '').split('-').map(Number)
  const [hour = 0, minute = 0] = (time ?? '').split(':').map(Number)
  return {
    ...visit,
    ...(party_size !== undefined && { partySize: party_size }),
    ...(date !== undefined && { day: { is: 'date', year, month, day } as const }),
    ...(time !== undefined && { clock: { hour, minute, half: 'exact' } as const }),
  }
}

/** The local time that is wanted, and what will do; null where neither date nor time is. Refuses what is over. */
export function nearOf(
  { date, time }: RequestedTime,
  said: SlotFilters,
  { timezone, at }: { timezone: string; at: Date },
): Near | null {
  if (said.date !== undefined) refusePast(said.date, { timezone, at })
  if (date === null) return null
  if (time === null) return { local: `${date}T00:00:00`, beforeMs: 0, afterMs: DAY_MS - 1 }
  const local = `${date}T${time}:00`
  if (
    said.date !== undefined &&
    toInstantPastGap(timezone, local).getTime() + NEAR_MS < at.getTime()
  ) {
    const now = toLocal(timezone, at)
    throw refuse('slot_in_past', `${local} is over: in ${timezone} it is ${now}.`, { timezone })
  }
  return { local, beforeMs: NEAR_MS, afterMs: NEAR_MS }
}

/** What venues have free near a time or, where none is wanted, next. */
export async function filterByAvailability(
  { db, at, settings }: Context,
  venues: readonly VenueRow[],
  { partySize, near }: { partySize: number | null; near: Near | null },
): Promise<Map<string, AvailableVenue>> {
  const asked = {
    at,
    feePct: settings.feePct,
    count: SLOTS_IN_LIST,
    ...(partySize !== null && { partySize }),
  }
  if (venues.length === 0) return new Map()
  if (near) return selectAvailableNear(db, venues, { ...asked, near })
  const found = await selectAvailability(db, venues, asked)
  return new Map(
    [...found].flatMap(([id, next]) => {
      const [first] = next.slots
      if (!first) return []
      const availability = { as_of: at.toISOString(), ...next }
      return [[id, { availability, distance: Date.parse(first.starts_at) - at.getTime() }]]
    }),
  )
}
