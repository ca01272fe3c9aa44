import { z } from 'zod'
import { pageOf } from '../../contract/cursor.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { nextCursor } from '../../contract/public.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { clockId, shownClock, testClock } from '../schema/test-clocks.ts'
import { selectClocksOf } from '../store/clocks.ts'
import { shownOwnClock } from './own-clock.ts'

export const getClock = defineOperation({
  name: 'read test clock',
  summary: 'Read a test clock',
  description: 'Returns what a test clock shows, and whether it is still moving.',
  tier: 'free',
  part: 'bookings',
  input: z.strictObject({ id: clockId }),
  output: z.object({ test_clock: testClock }),
  errors: ['clock_not_found'],
  run: async (ctx, { id }) => ({ test_clock: await shownOwnClock(ctx, id) }),
})

export const listClocks = defineOperation({
  name: 'list test clocks',
  summary: 'List your test clocks',
  description: 'Lists the test clocks of the account, newest first.',
  tier: 'free',
  part: 'bookings',
  input: z.strictObject({
    limit: z.int().min(1).max(100).default(50),
    cursor: z.string().max(200).optional(),
  }),
  output: z.object({ test_clocks: z.array(testClock), next_cursor: nextCursor }),
  errors: ['invalid_cursor'],
  async run(ctx, { limit, cursor = null }) {
    if (cursor !== null && !z.uuid().safeParse(cursor).success) throw refuse('invalid_cursor')
    const page = { before: cursor, limit: limit + 1 }
    const found = await selectClocksOf(ctx.db, accountOf(ctx).id, page)
    const { rows, next_cursor } = pageOf(found, limit, ({ id }) => id)
    return { test_clocks: rows.map((clock) => shownClock(clock, ctx.at)), next_cursor }
  },
})
