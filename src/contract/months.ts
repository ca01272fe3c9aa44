import { z } from 'zod'

/** A month of UTC as a caller gives it: YYYY-MM. */
export const givenMonth = z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'expected YYYY-MM')

/** From the first instant of a month to the first of the next, in UTC. */
export function spanOf(month: string): { from: Date; until: Date } {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return { from: new Date(Date.UTC(year, number - 1)), until: new Date(Date.UTC(year, number)) }
}
