import { z } from 'zod'
import { named } from '../../contract/named.ts'
import { instant, venueRef } from '../../contract/public.ts'
import { activityTypes } from '../rules/feed.ts'

/** An entry in the public feed. It contains no times more precise than the hour. */
export const activity = named('Activity', {
  id: z.string().describe('Its place in the feed; a stream resumes after a `Last-Event-ID`'),
  type: z.enum(activityTypes),
  venue: venueRef.pick({ slug: true, name: true }),
  area: z.string(),
  hour: instant.describe('The hour in which it happened'),
})
export type Activity = z.infer<typeof activity>
