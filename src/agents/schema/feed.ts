import { z } from 'zod'
import { instant, venueRef } from '../../contract/public.ts'
import { activityTypes } from '../rules/feed.ts'

/** One thing that the public feed tells; nothing in it is finer than the hour. */
export const activity = z.object({
  id: z
    .string()
    .describe('Its place in the feed: `Last-Event-ID` of a stream that goes on after it'),
  type: z.enum(activityTypes),
  venue: venueRef.pick({ slug: true, name: true }),
  area: z.string(),
  hour: instant.describe('The hour in which it happened; nothing finer is published'),
})
export type Activity = z.infer<typeof activity>
