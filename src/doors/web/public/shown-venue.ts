import type { DayAvailability, Slot } from '../../../contract/public.ts'
import { money } from '../../../contract/rules/money.ts'
import type { PublicVenue } from '../../../venues/operations/public-venue.ts'
import { confirmWords, spanWords } from './venue-text.ts'

/** What the page of a venue shows; `problem` says why there are no times. */
export type ShownVenue = PublicVenue & {
  /** as they were asked for; empty where they were not */
  date: string
  time: string
  partySize: number
  days: readonly DayAvailability[]
  problem: string | null
  feePct: number
  publicUrl: string
}

export const isFree = ({ status }: Slot) => status === 'available' || status === 'limited'

/** The slot for which the calls are shown: the one that was chosen, else the first that is free. */
export function chosenSlot({ days, date, time }: ShownVenue): Slot | undefined {
  const free = days.flatMap(({ slots }) => slots).filter(isFree)
  return free.find(({ slot_time }) => slot_time.startsWith(`${date}T${time}`)) ?? free[0]
}

/** What a booking is subject to, as pairs of a term and what holds for it. */
export function terms({ venue, terms, feePct }: ShownVenue): (readonly [string, string])[] {
  const pairs: (readonly [string, string])[] = [['Confirmation', confirmWords[venue.confirm_mode]]]
  if (!terms) return [...pairs, ['Booking', 'Not bookable at the moment.']]
  const { partyMin, partyMax, horizonDays, cancelMinutes, spendPerGuestMinor } = terms
  return [
    ...pairs,
    ['Party', partyMin === partyMax ? `${partyMax}` : `${partyMin} to ${partyMax} guests`],
    ['Bookable', `${spanWords(horizonDays * 1440)} ahead`],
    [
      'Free cancellation',
      cancelMinutes === 0 ? 'until it begins' : `until ${spanWords(cancelMinutes)} before`,
    ],
    ['Usual spend', `${money(spendPerGuestMinor, venue.currency)} per guest`],
    ['Network fee', `${feePct} % of that per guest`],
    ['Currency', venue.currency],
    ['Venue id', venue.id],
  ]
}
