import type { Availability, Slot } from '../../contract/public.ts'
import { toInstantPastGap, utcOffset } from '../../contract/rules/slot-time.ts'
import { createOfSameBasis } from '../../platform/database/same-basis.ts'
import type { Db } from '../../platform/database/sql.ts'
import { statusOf } from '../rules/capacity.ts'
import {
  type BookableSlot,
  type Candidate,
  candidatesOf,
  selectBookable,
} from './bookable-slots.ts'
import { firstLook } from './first-look.ts'
import { type PartyOffering, selectPartyOfferings } from './party-offerings.ts'
import { recentCandidates } from './recent-candidates.ts'
import { selectNeighbours, selectVenueRef, type VenueRef } from './venues.ts'

const DAY_MS = 86_400_000
const NONE: readonly PartyOffering[] = []
/** How far ahead the next bookable slots are looked for. */
const LOOK_AHEAD_DAYS = 7
/** Slots looked at for each one wanted, before the whole of the look-ahead is read. */
const FIRST_LOOK = 4
/** Venues nearby that are asked when one has too few alternatives of its own. */
const NEIGHBOURS = 12

/** The next `count` bookable slots from `from` (now, if absent); without a party size, for two or the nearest that can book. */
export type WantedSlots = {
  at: Date
  feePct: number
  count: number
  partySize?: number
  from?: Date
}

/** The availability of a venue before it is said when; the same object while the same slots are bookable: never change one. */
export type NextSlots = Omit<Availability, 'as_of'>

/** The next slots of a page of venues, from their rules and bookings; an entry for each of them, in few statements. */
export async function selectAvailability(
  db: Db,
  venues: readonly { id: string; timezone: string }[],
  { at, feePct, count, partySize, from = at }: WantedSlots,
): Promise<Map<string, NextSlots>> {
  const period = { at, from, until: new Date(from.getTime() + LOOK_AHEAD_DAYS * DAY_MS) }
  const limit = count * FIRST_LOOK
  const { offers, candidates } = await firstLook(db, venues, { period, partySize, limit })
  const found = await selectBookable(db, candidates, count)
  const short = venues.flatMap(({ id }) => {
    const isShort = (found.get(id)?.length ?? 0) < count && candidates.get(id)?.length === limit
    if (!isShort) return []
    const all = recentCandidates(offers.get(id) ?? NONE, period, Number.POSITIVE_INFINITY)
    return [[id, all] as const]
  })
  const further = await selectBookable(db, new Map(short), count)

  return new Map(
    venues.map(({ id, timezone }) => {
      const bookable = further.get(id) ?? found.get(id) ?? []
      return [id, present(bookable, feePct, timezone)]
    }),
  )
}

const presented = createOfSameBasis<readonly BookableSlot[], NextSlots>()

const present = (bookable: readonly BookableSlot[], feePct: number, timezone: string): NextSlots =>
  presented(bookable, [feePct, timezone], () => {
    const slots = bookable.map((one) => presentSlot(one, feePct))
    return { timezone, next_slot_time: slots[0]?.slot_time ?? null, slots }
  })

/** A slot as every door shows it. */
export function presentSlot({ offering, slot, free, range }: BookableSlot, feePct: number): Slot {
  const { timezone, currency, confirm_mode, rules } = offering
  const { starts_at, ends_at, cancel_until, utc_offset } = timesOf(slot, timezone)
  return {
    slot_time: slot.slotTime,
    timezone,
    utc_offset,
    starts_at,
    ends_at,
    status: statusOf(free),
    places_left: free.left,
    ...range,
    confirm_mode,
    cancel_until,
    fee: { pct: feePct, base_per_guest_minor: rules.spend_per_guest_minor, currency },
  }
}

type Times = Pick<Slot, 'starts_at' | 'ends_at' | 'cancel_until' | 'utc_offset'>
/** Slots are shared and never change, so each is written out once; a slot is of one zone. */
const written = new WeakMap<BookableSlot['slot'], Times>()

function timesOf(slot: BookableSlot['slot'], timezone: string): Times {
  const known = written.get(slot)
  if (known) return known
  const times = {
    starts_at: slot.startsAt.toISOString(),
    ends_at: slot.endsAt.toISOString(),
    cancel_until: slot.cancelUntil.toISOString(),
    utc_offset: utcOffset(timezone, slot.startsAt),
  }
  written.set(slot, times)
  return times
}

export type Alternative = { venue: Pick<VenueRef, 'id' | 'slug' | 'name'>; slot_time: string }
export type Refused = { slotTime: string; partySize: number; at: Date; limit: number }

/**
 * What could be booked instead: times at the venue from a day before to two days after, the nearest first; where these
 * are too few, the nearest time at each of the venues nearby of the same category and area.
 */
export async function selectAlternatives(
  db: Db,
  venueId: string,
  refused: Refused,
): Promise<Alternative[]> {
  const venue = await selectVenueRef(db, venueId)
  const own = await selectNearest(db, [venue], refused, refused.limit)
  if (own.length === refused.limit) return own
  const neighbours = await selectNeighbours(db, venueId, NEIGHBOURS)
  const theirs = await selectNearest(db, neighbours, refused, 1)
  return [...own, ...theirs].slice(0, refused.limit)
}

async function selectNearest(
  db: Db,
  venues: readonly VenueRef[],
  { slotTime, partySize, at }: Refused,
  count: number,
): Promise<Alternative[]> {
  const [first] = venues
  if (!first) return []
  const asked = Math.max(toInstantPastGap(first.timezone, slotTime).getTime(), at.getTime())
  const period = { at, from: new Date(asked - DAY_MS), until: new Date(asked + 2 * DAY_MS) }
  const distance = ({ slot }: Candidate) => Math.abs(slot.startsAt.getTime() - asked)
  const nearestFirst = (a: Candidate, b: Candidate) => distance(a) - distance(b)
  const offers = await selectPartyOfferings(
    db,
    venues.map(({ id }) => id),
    period,
    partySize,
  )
  const candidates = [...offers].map(
    ([id, ofVenue]) =>
      [id, candidatesOf(ofVenue, period, Number.POSITIVE_INFINITY).sort(nearestFirst)] as const,
  )
  const bookable = await selectBookable(db, new Map(candidates), count)
  return venues
    .flatMap(({ id, slug, name }) =>
      (bookable.get(id) ?? []).map((found) => ({ venue: { id, slug, name }, found })),
    )
    .sort((a, b) => nearestFirst(a.found, b.found))
    .map(({ venue, found }) => ({ venue, slot_time: found.slot.slotTime }))
}
