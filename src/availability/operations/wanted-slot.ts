import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { addDays, dateOf, toLocal } from '../../base/local-time.ts'
import { daysAheadOf } from '../../base/said-time.ts'
import { couldTake } from '../rules/capacity.ts'
import { isBookable, type VenueService } from '../store/venue-services.ts'

/** A local date that exists, within the years that slot times accept. */
export const localDate = z.iso
  .date({ error: 'expected a date as in 2026-12-24, without time' })
  .refine((date) => date >= '1970-01-01' && date <= '2999-12-31', 'expected a year 1970 to 2999')
  .meta({ examples: ['2026-12-24'] })

/** A date, or a word for a day, which `dateSaid` resolves for a venue. */
export const dateOrDay = z
  .string()
  .refine((text) => daysAheadOf(text) !== undefined || localDate.safeParse(text).success, {
    error: 'expected a date as in 2026-12-24, without time',
  })
  .meta({ format: 'date', examples: ['2026-12-24'] })

/** The date that a text denotes at the time `at`. */
export function dateSaid(text: string, { timezone, at }: { timezone: string; at: Date }): string {
  const ahead = daysAheadOf(text)
  return ahead === undefined ? text : addDays(dateOf(toLocal(timezone, at)), ahead)
}

/** The limits come from the venue's rules. */
export const partySize = z.int32().describe('Number of guests')

/** Refuses a date already past at the venue. */
export function refusePast(date: string, { timezone, at }: { timezone: string; at: Date }): void {
  const now = toLocal(timezone, at)
  if (date >= dateOf(now)) return
  const what = `${date} is over: in ${timezone} it is ${now}.`
  throw refuse('slot_in_past', what, { earliest: dateOf(now), timezone })
}

/** Refuses a party that no service takes, and states the possible sizes. */
export function refuseParty(all: readonly VenueService[], size: number): void {
  const services = all.filter(isBookable)
  const limits = services.map(({ rules }) => rules)
  if (limits.length === 0) return
  const party_min = Math.min(...limits.map((rules) => rules.party_min))
  const party_max = Math.max(...limits.map((rules) => rules.party_max))
  const facts = { party_min, party_max }
  if (size < party_min || size > party_max) {
    const code = size < party_min ? 'party_too_small' : 'party_too_large'
    throw refuse(code, `Parties of ${party_min} to ${party_max} can be booked, not ${size}.`, facts)
  }
  const takes = (one: number) => services.some((service) => couldTake(service, one))
  let smaller = size
  while (smaller >= party_min && !takes(smaller)) smaller -= 1
  const what = `Nothing here takes a party of exactly ${size}.`
  if (smaller >= party_min) throw refuse('party_too_large', what, { ...facts, party_max: smaller })
  let larger = size
  while (larger <= party_max && !takes(larger)) larger += 1
  throw refuse('party_too_small', what, { ...facts, party_min: larger })
}
