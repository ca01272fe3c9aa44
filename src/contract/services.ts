import { z } from 'zod'
import { priceUnits, serviceKinds, taxTerms } from '../base/venue-kinds.ts'
import { foreignText } from './foreign-text.ts'
import { currency } from './local-times.ts'
import { named } from './named.ts'

/** What a guest pays the venue for a service. */
const price = named('Price', {
  amount_minor: z.int().describe('For a range, its lower end'),
  up_to_minor: z.int().optional(),
  currency,
  per: z.enum(priceUnits),
  taxes: z.enum(taxTerms).optional().describe('Whether tax and service are in it; absent: unknown'),
  text: z.string(),
})

const kind = z.enum(serviceKinds).meta({ id: 'ServiceKind' })

/** A session of a class. */
export const shownSession = named('Session', {
  service: foreignText('Name of the service'),
  name: foreignText('Name of the session, if it has its own').optional(),
  with: foreignText('Who leads it').optional(),
})

/** A service of a venue, as a guest would ask for it. */
export const shownService = named('Service', {
  id: z.string(),
  name: foreignText('Name of the service'),
  kind: kind.optional(),
  description: foreignText('What it is').optional(),
  minutes: z.array(z.int()).describe('Lengths to choose from, the usual one first'),
  prices: z.array(price).optional().describe('One price, or one for each of `minutes`'),
  party_min: z.int(),
  party_max: z.int(),
  with: z.array(foreignText('A name')).optional().describe('People whom guests can wish for'),
})
export type ShownService = z.infer<typeof shownService>

/** A service by what a guest chooses by. */
export const briefService = named('BriefService', {
  ...shownService.pick({ name: true, minutes: true }).shape,
  price: z.string().optional(),
})

/** How to book what a search asked for. */
export const asAsked = {
  book_with: named('BookWith', {
    service: foreignText('A name'),
    minutes: z.int().optional(),
    with: foreignText('A name').optional(),
    notes: z.string().optional().describe('What the venue has to be told'),
  })
    .optional()
    .describe('The requested service: send these fields too, with the service of the time'),
  fits: z
    .array(briefService)
    .optional()
    .describe('The services that fit what was asked for equally well, if several'),
}

/** The requested service, length and person; null where the request leaves the choice open. */
export const askedService = {
  service: foreignText('Name of the requested service').nullable(),
  minutes: z.int().nullable(),
  with: foreignText('The person wished for').nullable(),
}

/** What was booked. */
export const bookedService = named('BookedService', {
  id: z.uuid(),
  name: foreignText('Name of the service'),
  session: foreignText('Name of the session, if it has its own').optional(),
  kind: kind.optional(),
  minutes: z.int(),
  price: named('BookedPrice', {
    ...price.shape,
    total: z.string().describe('What the whole party pays, in words'),
  })
    .optional()
    .describe('What the guest pays the venue'),
  with: z.array(foreignText('A name')).optional().describe('Who leads it'),
})
