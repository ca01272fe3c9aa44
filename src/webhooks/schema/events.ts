import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { eventFilters, eventTypes } from '../rules/webhooks.ts'

/** An entry of the ledger, with the names that a webhook's body has. */
export const event = z.object({
  id: z.uuid().describe('The `webhook-id` of its deliveries'),
  number: z.int().describe('Its place in the ledger of the account: in order of commits, no gaps'),
  type: z.string(),
  timestamp: instant,
  data: z.record(z.string(), z.unknown()),
})
export type Event = z.infer<typeof event>

const expected = `expected some of ${eventFilters.join(', ')}`

/** Filters of types in one text, as a query has it. */
export const typesText = z
  .string()
  .max(1000)
  .refine((text) => text.split(',').every((one) => eventFilters.includes(one)), expected)
  .describe('Only these types, with commas between them; `booking.*` for all of a subject')
  .meta({ examples: ['booking.*,fee.accrued'] })

/** The types that pass one of these filters; null when all do. */
export function typesOf(filters: readonly string[]): string[] | null {
  if (filters.includes('*')) return null
  return eventTypes.filter((type) =>
    filters.some((filter) => filter === type || filter === `${type.split('.')[0]}.*`),
  )
}
