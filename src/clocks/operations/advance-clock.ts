import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { invalidRequest, refuse } from '../../base/errors.ts'
import * as shared from '../../contract/fields.ts'
import { givenInstant } from '../../contract/fields.ts'
import { defineOperation } from '../../contract/operation.ts'
import type { ClockContext } from '../engine.ts'
import {
  durationMs,
  durationPattern,
  MAX_ADVANCE_DAYS,
  MAX_AHEAD_DAYS,
} from '../rules/test-clocks.ts'
import { clockId, testClock } from '../schema/test-clocks.ts'
import { type Clock, updateTarget } from '../store/clocks.ts'
import { ownClock, shownOwnClock } from './own-clock.ts'

const input = z.strictObject({
  id: clockId,
  to: givenInstant.optional().describe('Where the clock moves to. Repeating it changes nothing'),
  by: z
    .string()
    .max(40)
    .regex(durationPattern, 'expected an ISO 8601 duration in weeks or smaller: P3W, P1DT12H')
    .optional()
    .describe('How far the clock moves, as an ISO 8601 duration: `P3W`, `P1DT12H`, `PT5M`'),
  wait: shared.wait,
})

export const advanceClock = defineOperation({
  name: 'advance test clock',
  summary: 'Move a test clock forward',
  description:
    'Moves a test clock forward. Everything due on the way happens, in chronological order: ' +
    'reminders, deadlines, the end of holds, completions, webhook deliveries with their ' +
    'retries. Give `to` or `by`.',
  tier: 'free',
  scope: 'bookings',
  input,
  output: z.object({
    status: z.enum(['ready', 'pending']).describe('`pending`: it is still moving'),
    test_clock: testClock,
    next: shared.next.optional(),
    retry_after: shared.retryAfter.optional(),
  }),
  errors: [
    'clock_not_found',
    'clock_advancing',
    'clock_backwards',
    'clock_too_far',
    'booking_engine_unavailable',
  ],
  async run(ctx: ClockContext, { id, wait, ...move }) {
    const clock = await ownClock(ctx, id)
    const target = targetOf(clock, move)
    if (await setTarget(ctx, clock, target)) {
      await ctx.engine.advanceClock({ accountId: id, name: clock.name }, target, wait)
    }
    const test_clock = await shownOwnClock(ctx, id)
    if (test_clock.status === 'ready') return { status: 'ready' as const, test_clock }
    const next = `Read the test clock ${id} until it is ready, or repeat the request to wait.`
    return { status: 'pending' as const, test_clock, next, retry_after: 2 }
  },
})

function targetOf({ ahead_ms }: Clock, { to, by }: Pick<z.output<typeof input>, 'to' | 'by'>) {
  if ((to === undefined) === (by === undefined)) {
    throw invalidRequest([{ pointer: '/to', detail: 'expected either `to` or `by`' }])
  }
  if (to !== undefined) return new Date(to)
  return new Date(Date.now() + ahead_ms + (durationMs(by ?? '') ?? 0))
}

/** Stores a clock's target; false if the clock is already there. */
async function setTarget(ctx: ClockContext, clock: Clock, target: Date): Promise<boolean> {
  const { id, advanced_to, ahead_ms } = clock
  const isRepeated = advanced_to?.getTime() === target.getTime()
  if (isRepeated) return clock.advancing_to !== null
  if (clock.advancing_to) throw advancing(clock.advancing_to)
  const ms = target.getTime() - Date.now()
  if (ms <= ahead_ms) throw refuse('clock_backwards')
  const isTooLong = ms - ahead_ms > MAX_ADVANCE_DAYS * DAY_MS
  if (isTooLong || ms > MAX_AHEAD_DAYS * DAY_MS) throw refuse('clock_too_far')
  if (await updateTarget(ctx.db, id, target)) return true
  const { advancing_to } = await ownClock(ctx, id)
  if (advancing_to && advancing_to.getTime() !== target.getTime()) throw advancing(advancing_to)
  return advancing_to !== null
}

const advancing = (to: Date) =>
  refuse('clock_advancing', undefined, { advancing_to: to.toISOString(), retry_after: 2 })
