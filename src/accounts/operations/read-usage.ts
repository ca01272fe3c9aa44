import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { selectFees } from '../../bookings/store/fee-list.ts'
import { givenMonth, spanOf } from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { PlanContext } from '../hooks.ts'
import {
  type DayOfCalls,
  dayOfCalls,
  monthOfUse,
  quotaToday as quotaShape,
} from '../schema/usage.ts'
import { selectBookingCounts, selectCallCounts, selectOptionalUsed } from '../store/usage.ts'

export const readUsage = defineOperation({
  name: 'usage',
  summary: 'Read the usage of your account',
  description:
    'Returns the rest of today’s quota, the calls of each day by result, and the bookings and ' +
    'fees of a month. Days and months are in UTC. A call is counted within two seconds.',
  scope: 'usage',
  input: z.strictObject({
    days: z.int().min(1).max(90).default(30).describe('Number of days, including today'),
    month: givenMonth.optional().describe('Month of the bookings and fees. Default: this month'),
  }),
  output: z.object({
    today: quotaShape,
    days: z.array(dayOfCalls).describe('Oldest first, including days without calls'),
    month: monthOfUse,
  }),
  async run(ctx: PlanContext, { days, month = ctx.at.toISOString().slice(0, 7) }) {
    const [today, calls, use] = await Promise.all([
      quotaToday(ctx),
      callsOf(ctx, days),
      monthOf(ctx, month),
    ])
    return { today, days: calls, month: use }
  },
})

/** The tier of the caller's account, and its requests today. */
export async function quotaOf(ctx: PlanContext) {
  const day = dayOf(ctx.at.getTime())
  const { id, mode } = accountOf(ctx)
  const row = await selectOptionalUsed(ctx.db, id, day)
  if (!row) throw new Error('the account of a call does not exist')
  const { tier, used, requests_per_day: limit } = row
  const { requestsPerDay } = ctx.settings
  return { day, tier, used, limit: limit ?? requestsPerDay[mode === 'test' ? 'test' : tier] }
}

/** The caller's quota, and when it resets. */
export async function quotaToday(ctx: PlanContext): Promise<z.infer<typeof quotaShape>> {
  const { day, used, limit } = await quotaOf(ctx)
  const remaining = Math.max(0, limit - used)
  return {
    day,
    used,
    limit,
    remaining,
    resets_at: new Date(Date.parse(day) + DAY_MS).toISOString(),
  }
}

async function callsOf(ctx: PlanContext, count: number): Promise<DayOfCalls[]> {
  const first = ctx.at.getTime() - (count - 1) * DAY_MS
  const counts = await selectCallCounts(ctx.db, accountOf(ctx).id, dayOf(first))
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return Array.from({ length: count }, (_, n) => {
    const day = dayOf(first + n * DAY_MS)
    const by_code = Object.fromEntries((byDay.get(day) ?? []).map((row) => [row.code, row.calls]))
    return { day, calls: sum(by_code), by_code }
  })
}

async function monthOf(ctx: PlanContext, month: string): Promise<z.input<typeof monthOfUse>> {
  const accountId = accountOf(ctx).id
  const span = spanOf(month)
  const filter = { accountId, ...span, currency: null }
  const [by_status, { totals }] = await Promise.all([
    selectBookingCounts(ctx.db, accountId, span),
    selectFees(ctx.db, filter, { after: null, limit: 0 }),
  ])
  return { month, bookings: sum(by_status), by_status, fees: totals }
}

const sum = (counts: Record<string, number>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)
