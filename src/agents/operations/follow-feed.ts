import { z } from 'zod'
import type { Context } from '../../contract/operation.ts'
import { defineOperation, requireLive } from '../../contract/operation.ts'
import { selectLastActivity } from '../store/feed.ts'
import type { FeedServices } from '../store/feed-watch.ts'

/** Starts a live stream of the feed. REST only, so it is not in the catalogue. */
export const followFeed = defineOperation({
  name: 'follow feed',
  summary: 'Stream public activity',
  description: 'Streams activity after this id, or from now on.',
  input: z.strictObject({ after: z.int().min(0).nullable() }),
  output: z.object({ after: z.int() }),
  errors: ['too_many_sessions', 'live_key_required'],
  async run(ctx: Context<FeedServices>, { after }) {
    requireLive(ctx)
    if (after !== null) return { after }
    await ctx.feed.publish(ctx.at)
    return { after: await selectLastActivity(ctx.db) }
  },
})
