import { z } from 'zod'
import { foreignText } from './foreign-text.ts'
import { named } from './named.ts'
import { availability, dayAvailability, slot, venue, venueRef } from './public.ts'
import { briefService, shownService, shownSession } from './services.ts'

/** The form of answers about venues and their slots, at every door. */
export const detail = z
  .enum(['compact', 'full'])
  .meta({ id: 'Detail' })
  .default('compact')
  .describe('`full`: every field of a venue, and each slot with its own terms')
export type Detail = z.output<typeof detail>

const {
  id,
  slug,
  name,
  category,
  area,
  timezone,
  price_level,
  is_demo,
  takes_test_money,
  address,
  distance_km,
  mentions,
} = venue.shape
const { utc_offset, party_min, party_max, confirm_mode, typical_spend, fee, deposits } = slot.shape

const time = z.string().describe('Local time at the venue: `slot_time` is the date, T and this')

const more_services = z
  .int()
  .optional()
  .describe('How many others there are: the venue by itself has all')

const cancelling = z.string().describe('Until when it is free; after that it costs the fee')

const base = fee.pick({ base_per_guest_minor: true, base_per_booking_minor: true })

const differing = named('DifferingTerms', {
  services: z.array(foreignText('A name')),
  times: z.array(time).optional().describe('With a date if needed; absent: all other times'),
  utc_offset: utc_offset.optional(),
  confirm_mode: confirm_mode.optional(),
  typical_spend,
  fee: base.optional(),
  cancelling: cancelling.optional(),
})

/** The terms of the slots of a venue; absent if there are no slots, or if they differ. */
const terms = {
  utc_offset: utc_offset.optional(),
  party_min: party_min.optional(),
  party_max: party_max.optional().describe('Largest party that can book one of these times now'),
  confirm_mode: confirm_mode.optional(),
  deposits: deposits.describe('What the venue asks for at some of the times; absent if nothing'),
  typical_spend: typical_spend.describe('If it has no price'),
  fee: fee.optional().describe('pct % of base × party size'),
  cancelling: cancelling.optional(),
  terms_differ: z.array(differing).optional().describe('The terms that are not the same for all'),
}

const compactAvailability = named('CompactAvailability', {
  timezone,
  ...terms,
  days: z
    .array(
      named('DayOfTimes', {
        date: z.string(),
        times: z.array(time),
        services: z
          .array(foreignText('A name'))
          .optional()
          .describe('The service at each of `times`, if there is a choice: send it too'),
      }),
    )
    .describe('The next few bookable times; local dates'),
  price: slot.shape.price.describe('Present if it is the same at all times'),
  book_with: availability.shape.book_with,
  fits: availability.shape.fits,
  note: availability.shape.note.unwrap().optional(),
})
export type CompactAvailability = z.infer<typeof compactAvailability>

/** What `is_demo` means, for answers with such venues. */
export const demo = z.string().optional().describe('What `is_demo` of some of the venues means')

/** A venue in a list. */
export const compactVenue = named('CompactVenue', {
  id,
  slug,
  name,
  category,
  area,
  price_level,
  street: foreignText('Street').optional(),
  facts: z
    .record(z.string(), z.enum(['yes', 'no', 'unknown']))
    .optional()
    .describe('The requested facts'),
  is_demo: is_demo.optional(),
  takes_test_money: takes_test_money.optional(),
  distance_km,
  mentions,
  services: z.array(foreignText('A name')).optional().describe('If there is a choice'),
  more_services,
  availability: compactAvailability,
})
export type CompactVenue = z.infer<typeof compactVenue>

const { city, country, latitude, longitude, description, tags, cuisine, photos } = venue.shape
const factList = z.array(z.string()).optional()

/** A single venue. */
export const compactVenueAlone = named('CompactVenueAlone', {
  ...compactVenue.omit({ street: true, more_services: true }).shape,
  services: z.array(shownService),
  city,
  country,
  latitude,
  longitude,
  description,
  tags,
  cuisine: cuisine.optional(),
  address: address.unwrap().optional(),
  phone: foreignText('E.164').optional(),
  website: foreignText('Website').optional(),
  menu_url: foreignText('Menu').optional(),
  photos: photos.optional(),
  opening_hours: foreignText('When it is open').optional(),
  facts: z
    .object({ yes: factList, no: factList, unknown: factList })
    .describe('The known facts; ask the venue about the unknown ones'),
})
export type CompactVenueAlone = z.infer<typeof compactVenueAlone>

const { date, status, reason } = dayAvailability.shape

/** All of a venue's times on the given days. */
export const compactDays = z.object({
  venue: venueRef,
  timezone,
  ...terms,
  party_size: z.int().describe('Number of guests the times are for'),
  services: z
    .array(briefService)
    .optional()
    .describe('The services to choose from; by default, the first free one is booked'),
  more_services,
  days: z.array(
    named('CompactDay', {
      date,
      status,
      reason: reason.optional(),
      times: z.array(time).describe('Times that can be booked now'),
      by_service: z
        .array(z.object({ services: z.array(foreignText('A name')), times: z.array(time) }))
        .optional()
        .describe('For a single day: services that are free at only some of `times`'),
      sessions: z
        .array(shownSession.extend({ times: z.array(time) }))
        .optional()
        .describe('Sessions of classes, each with the `times` at which it begins'),
      taken: z.array(time).optional().describe('Times that are full: they can be watched'),
    }),
  ),
})
export type CompactDays = z.infer<typeof compactDays>
