import { z } from 'zod'
import { defineOperation } from '../../contract/operation.ts'
import { selectLastActivity } from '../store/feed.ts'

/** Where a live stream of the feed begins: another form of what `readFeed` answers, so it is at REST alone and not in the catalogue. */
export const followFeed = defineOperation({
  name: 'follow feed',
  summary: 'Public activity as it is published',
  description: 'Goes on after the activity with this id, or with what is published from now on.',
  tier: 'free',
  input: z.strictObject({ after: z.int().min(0).nullable() }),
  output: z.object({ after: z.int() }),
  errors: ['too_many_sessions'],
  async run(ctx, { after }) {
    if (after !== null) return { after }
    await ctx.feed.publish(ctx.at)
    return { after: await selectLastActivity(ctx.db) }
  },
})
