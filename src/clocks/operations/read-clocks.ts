import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { clockId, shownClock, testClock } from '../schema/test-clocks.ts'
import { selectClocksOf } from '../store/clocks.ts'
import { shownOwnClock } from './own-clock.ts'

export const getClock = defineOperation({
  name: 'read test clock',
  summary: 'Read a test clock',
  description: 'Returns what a test clock shows, and whether it is still moving.',
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
  part: 'bookings',
  input: z.strictObject({}),
  output: z.object({ test_clocks: z.array(testClock) }),
  async run({ db, at, ...ctx }) {
    const clocks = await selectClocksOf(db, accountOf(ctx).id)
    return { test_clocks: clocks.map((clock) => shownClock(clock, at)) }
  },
})
