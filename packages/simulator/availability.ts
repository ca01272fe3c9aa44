import type { Venue } from './book.ts'
import type { Slot } from './messages.ts'
import { clockOf, datesBetween, localNow, PARTY_MAX, slotMinutes } from './slots.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60
/** Assumed length of a stay when counting free seats; a confirmation has its own end. */
const STAY_MINUTES = 90

/**
 * Local start times, with dates. Times already begun are left out once the network has
 * sent the venue's time zone.
 */
export function freeSlots(venue: Venue, from: string, to: string, now: Date): Slot[] {
  const dates = datesBetween(from, to)
  const guests = guestsByMinute(venue, from, dates.length)
  const start = venue.timezone === undefined ? '' : localNow(venue.timezone, now)
  return dates.flatMap((date, day) =>
    slotMinutes.flatMap((minute) => {
      const slotTime = `${date}T${clockOf(minute)}`
      if (slotTime <= start || venue.full.has(slotTime)) return []
      const free = venue.seats - maxGuests(guests, day * DAY_MINUTES + minute)
      if (free < 1) return []
      const partyMax = Math.min(PARTY_MAX, free)
      return [{ slot_time: slotTime, party_min: 1, party_max: partyMax, places_left: free }]
    }),
  )
}

function maxGuests(guests: Int32Array, minute: number): number {
  let most = 0
  for (let at = minute; at < minute + STAY_MINUTES; at += 1) most = Math.max(most, guests[at] ?? 0)
  return most
}

/** Guests present per minute since midnight of the first date, including stays past the last. */
function guestsByMinute(venue: Venue, from: string, days: number): Int32Array {
  const guests = new Int32Array(days * DAY_MINUTES + STAY_MINUTES)
  const origin = Date.parse(from)
  for (const stay of venue.stays.values()) {
    const start = Math.floor((Date.parse(`${stay.slot_time}Z`) - origin) / MINUTE_MS)
    const length = (Date.parse(stay.ends_at) - Date.parse(stay.starts_at)) / MINUTE_MS
    const end = Math.min(Math.ceil(start + length), guests.length)
    for (let at = Math.max(start, 0); at < end; at += 1)
      guests[at] = (guests[at] ?? 0) + stay.party_size
  }
  return guests
}
