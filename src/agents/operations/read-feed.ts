import { z } from 'zod'
import { decodeCursor, encodeCursor } from '../../contract/cursor.ts'
import { defineOperation, type Services } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { type Activity, activity } from '../schema/feed.ts'
import { type ActivityRow, selectActivityAfter, selectActivityBefore } from '../store/feed.ts'

const position = z.tuple([z.int().min(1)])

export const readFeed = defineOperation({
  name: 'feed',
  summary: 'Recent public activity',
  description:
    'Lists venues that were added, slots of full venues that opened and venues that were booked, the newest first: venue, area and hour only. ' +
    'Bookings and opened slots appear when their hour is over, one per venue and hour, and for 30 days. At REST, `Accept: text/event-stream` ' +
    'goes on live.',
  tier: 'free',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(300).optional(),
  }),
  output: z.object({ activity: z.array(activity), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor }) {
    const before = cursor === undefined ? null : decodeCursor(position, cursor)[0]
    await ctx.feed.publish(ctx.at)
    const found = await selectActivityBefore(ctx.db, { before, limit: limit + 1 })
    const rows = found.slice(0, limit)
    const last = found.length > limit ? rows.at(-1) : undefined
    return { activity: rows.map(present), next_cursor: last ? encodeCursor([last.number]) : null }
  },
})

const PAGE = 100

/**
 * What was published after a number, in order, at most a hundred; where there is nothing yet it waits for it so many milliseconds and
 * then answers nothing.
 */
export async function readActivityAfter(
  { db, feed }: Pick<Services, 'db' | 'feed'>,
  after: number,
  waitMs: number,
): Promise<Activity[]> {
  const read = async () => (await selectActivityAfter(db, { after, limit: PAGE })).map(present)
  const known = await read()
  if (known.length > 0 || !(await feed.awaitMore(after, waitMs))) return known
  return read()
}

const present = (row: ActivityRow): Activity => ({
  id: String(row.number),
  type: row.type,
  venue: { slug: row.venue_slug, name: row.venue_name },
  area: row.area,
  hour: row.hour.toISOString(),
})
