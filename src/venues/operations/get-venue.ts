import { z } from 'zod'
import { venueNotFound } from '../../availability/steps/venue-not-found.ts'
import { selectOptionalVenue } from '../../availability/store/venues.ts'
import { compactVenueAlone, demo, detail } from '../../contract/compact.ts'
import { defineOperation, isTest } from '../../contract/operation.ts'
import { venue } from '../../contract/public.ts'
import { aloneInBrief, demoNotice } from './compact-venue.ts'
import { presentVenues, SLOTS_ALONE } from './present-venues.ts'

export const getVenue = defineOperation({
  name: 'one venue',
  summary: 'One venue with its next bookable slots',
  description:
    'Shows one venue by its slug or id, with its address, phone, description, facts (wheelchair ' +
    'access, pets and others: yes, no or unknown) and more of its next times than lists show.',
  input: z.strictObject({
    slug: z.string().describe('`slug` or `id` of a venue from search or listing'),
    detail,
  }),
  output: z.discriminatedUnion('detail', [
    z.object({ detail: z.literal('compact'), venue: compactVenueAlone, demo }),
    z.object({ detail: z.literal('full'), venue, demo }),
  ]),
  errors: ['venue_not_found', 'venue_removed'],
  async run(ctx, { slug, detail }) {
    const row = await selectOptionalVenue(ctx.db, slug, isTest(ctx))
    const [presented] = row ? await presentVenues(ctx, [row], SLOTS_ALONE) : []
    if (!presented) throw await venueNotFound(ctx, slug)
    return detail === 'full'
      ? { detail, venue: presented, ...demoNotice([presented]) }
      : { detail, venue: aloneInBrief(presented), ...demoNotice([presented]) }
  },
})
