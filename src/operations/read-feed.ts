import { z } from 'zod'
import { decodeCursor, encodeCursor, slugInCursor } from '../schema/cursor.ts'
import { instant, nextCursor, venueRef } from '../schema/public.ts'
import {
  type ActivityPosition,
  type ActivityRow,
  activityTypes,
  selectActivity,
} from '../store/feed.ts'
import { defineOperation } from './define.ts'

const BOOKINGS_SHOWN_MS = 30 * 24 * 3600 * 1000

const activity = z.object({
  type: z.enum(activityTypes),
  venue: venueRef.pick({ slug: true, name: true }),
  area: z.string(),
  hour: instant.describe('The hour in which it happened; nothing finer is published'),
})

export const readFeed = defineOperation({
  name: 'feed',
  summary: 'Recent public activity',
  description:
    'Lists venues that were added and venues that were booked, newest hour first: venue, area and hour only.',
  tier: 'free',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(300).optional(),
  }),
  output: z.object({ activity: z.array(activity), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor }) {
    const since = new Date(ctx.at.getTime() - BOOKINGS_SHOWN_MS)
    const after = cursor === undefined ? null : decodePosition(cursor)
    const found = await selectActivity(ctx.db, { since, after, limit: limit + 1 })
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return { activity: rows.map(present), next_cursor: last ? encodePosition(last) : null }
  },
})

const present = (row: ActivityRow) => ({
  type: row.type,
  venue: { slug: row.venue_slug, name: row.venue_name },
  area: row.area,
  hour: row.hour.toISOString(),
})

const position = z.tuple([z.iso.datetime(), z.enum(activityTypes), slugInCursor])

const encodePosition = (row: ActivityRow): string =>
  encodeCursor([row.hour.toISOString(), row.type, row.venue_slug])

function decodePosition(cursor: string): ActivityPosition {
  const [hour, type, slug] = decodeCursor(position, cursor)
  return { hour: new Date(hour), type, slug }
}
