import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { addDays, dateOf, noSuchDay, toLocal } from '../../base/local-time.ts'
import { daysAheadOf } from '../../base/said-time.ts'

const notDate = (input: unknown) =>
  noSuchDay(String(input)) ?? 'expected a date as in 2026-12-24, without time'

/** A local date that exists, within the years that slot times accept. */
export const localDate = z.iso
  .date({ error: ({ input }) => notDate(input) })
  .refine((date) => date >= '1970-01-01' && date <= '2999-12-31', 'expected a year 1970 to 2999')
  .meta({ examples: ['2026-12-24'] })

/** A date, or a word for a day, which `dateSaid` resolves for a venue. */
export const dateOrDay = z
  .string()
  .refine((text) => daysAheadOf(text) !== undefined || localDate.safeParse(text).success, {
    error: ({ input }) => notDate(input),
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
