import { z } from 'zod'
import { decodeCursor, encodeCursor, pageOf } from '../../contract/cursor.ts'
import type { Context } from '../../contract/operation.ts'
import { defineOperation, requireLive, type Services } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { type Activity, activity } from '../schema/feed.ts'
import { selectActivityAfter, selectActivityBefore } from '../store/feed.ts'
import type { FeedServices } from '../store/feed-watch.ts'

const position = z.tuple([z.int().min(1)])

export const readFeed = defineOperation({
  name: 'feed',
  summary: 'Recent public activity',
  description:
    'Lists added venues, booked venues and opened slots of full venues, newest first: venue, ' +
    'area and hour only. Bookings and opened slots appear once their hour is over, at most one ' +
    'per venue and hour, and stay for 30 days. REST streams new ones with `Accept: ' +
    'text/event-stream`.',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(20),
    cursor: z.string().max(300).optional(),
  }),
  output: z.object({ activity: z.array(activity), next_cursor: nextCursor }),
  errors: ['invalid_cursor', 'live_key_required'],
  async run(ctx: Context<FeedServices>, { limit, cursor }) {
    requireLive(ctx)
    const before = decodeCursor(position, cursor)?.[0] ?? null
    await ctx.feed.publish(ctx.at)
    const activities = await selectActivityBefore(ctx.db, before, limit + 1)
    const cursorAfter = ({ id }: Activity) => encodeCursor([Number(id)])
    const { rows, next_cursor } = pageOf(activities, limit, cursorAfter)
    return { activity: rows, next_cursor }
  },
})

const PAGE = 100

/** Up to 100 activities after a number. If there are none yet, waits up to `waitMs` for one. */
export async function readActivityAfter(
  { db, feed }: Pick<Services, 'db'> & FeedServices,
  after: number,
  waitMs: number,
) {
  const activities = await selectActivityAfter(db, after, PAGE)
  if (activities.length > 0 || !(await feed.awaitMore(after, waitMs))) return activities
  return selectActivityAfter(db, after, PAGE)
}
