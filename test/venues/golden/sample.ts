import type { AnsweredVenue, Understood } from './grade.ts'

/** A venue as shown in an answer, free tonight at seven. */
export const venue = (
  slug: string,
  tags: string[],
  others: Partial<AnsweredVenue> = {},
): AnsweredVenue => ({
  slug,
  name: slug,
  category: 'restaurant',
  area: 'Canggu',
  city: 'Bali',
  country: 'ID',
  description: 'Phở and fresh rolls',
  tags,
  price_level: 2,
  spend: 100,
  closes: 22 * 60,
  latitude: -8.65,
  longitude: 115.14,
  slots: ['2026-11-18T19:00:00'],
  note: null,
  ...others,
})

/** The interpretation of a query that was not understood at all. */
export const nothing: Understood = { category: null, area: null, widened: null }
