import { z } from 'zod'
import { foreign } from '../../contract/foreign-text.ts'
import { anyObject, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { eventFilters, eventTypes } from '../rules/event-types.ts'

/** An entry in the ledger, with the field names of a webhook body. */
export const event = named('Event', {
  id: z.uuid().describe('The `webhook-id` of its deliveries'),
  number: z.int().describe('Its number in the account’s ledger: in order of commits, without gaps'),
  type: z.string(),
  timestamp: instant.describe('When its step began; `number` gives the order'),
  data: foreign('What it is about, names of venues included', anyObject),
})
export type Event = z.infer<typeof event>

export const eventFilter = z.enum(eventFilters).meta({ id: 'EventFilter' })

const expected = `expected a list of ${eventFilters.join(', ')}`

/** Type filters in one string, for a query parameter. */
export const typesText = z
  .string()
  .max(1000)
  .refine((text) => text.split(',').every((one) => eventFilters.includes(one)), expected)
  .describe('Only these types, separated by commas; `booking.*` matches every booking event')
  .meta({ examples: ['booking.*,fee.accrued'] })

/** The types that `typesText` matches; null if it matches all. */
export const typesIn = (text: string | undefined) => typesOf(text?.split(',') ?? ['*'])

/** The types that these filters match; null if they match all. */
export function typesOf(filters: readonly string[]): string[] | null {
  if (filters.includes('*')) return null
  return eventTypes.filter((type) =>
    filters.some((filter) => filter === type || filter === `${type.split('.')[0]}.*`),
  )
}
