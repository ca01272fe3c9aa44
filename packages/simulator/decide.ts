import type { Stay, Venue } from './book.ts'
import { isSlotTime, PARTY_MAX } from './slots.ts'

export type Decision = { status: 'confirmed' | 'declined'; reason: string | null }

const yes: Decision = { status: 'confirmed', reason: null }
const no = (reason: string): Decision => ({ status: 'declined', reason })

/** What an honest venue decides. A repeated booking does not compete with itself. */
export function decide(venue: Venue, bookingId: string, stay: Stay, now: Date): Decision {
  const { answer_by: answerBy } = stay
  const own = venue.stays.get(bookingId)
  if (answerBy === null && own && isSame(own, stay)) return yes
  if (answerBy !== null && Date.parse(answerBy) <= now.getTime())
    return no('The deadline to answer has passed')
  if (Date.parse(stay.ends_at) <= Date.parse(stay.starts_at))
    return no('The stay must end after it starts')
  if (!isSlotTime(stay.slot_time)) return no('No booking can start at this time')
  if (stay.party_size > PARTY_MAX) return no(`We seat parties up to ${PARTY_MAX}`)
  if (venue.full.has(stay.slot_time)) return no('We are full at this time')
  const free = venue.seats - maxOtherGuests(venue, bookingId, stay)
  return stay.party_size <= free ? yes : no('We are full at this time')
}

const isSame = (one: Stay, other: Stay) =>
  one.starts_at === other.starts_at &&
  one.ends_at === other.ends_at &&
  one.party_size === other.party_size

/** Peak number of other guests during the stay: at its start, or when some arrive. */
function maxOtherGuests(venue: Venue, bookingId: string, { starts_at, ends_at }: Stay): number {
  const [from, to] = [Date.parse(starts_at), Date.parse(ends_at)]
  const present: { from: number; to: number; guests: number }[] = []
  for (const [otherId, stay] of venue.stays) {
    const other = { from: Date.parse(stay.starts_at), to: Date.parse(stay.ends_at) }
    const overlaps = other.from < to && from < other.to
    if (overlaps && otherId !== bookingId) present.push({ ...other, guests: stay.party_size })
  }
  const moments = [from, ...present.map((other) => other.from).filter((moment) => moment > from)]
  const guestsAt = (moment: number) =>
    present
      .filter((other) => other.from <= moment && moment < other.to)
      .reduce((sum, other) => sum + other.guests, 0)
  return Math.max(...moments.map(guestsAt))
}
