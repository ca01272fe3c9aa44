import { z } from 'zod'
import { selectFees } from '../../bookings/store/fee-list.ts'
import { givenMonth, spanOf } from '../../contract/fields.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { DAY_MS } from '../../contract/rules/durations.ts'
import { type DayOfCalls, dayOfCalls, monthOfUse, quotaToday } from '../schema/usage.ts'
import { selectBookingCounts, selectCallCounts, selectOptionalUsed } from '../store/usage.ts'

export const readUsage = defineOperation({
  name: 'usage',
  summary: 'Read the usage of your account',
  description:
    'Returns the rest of today’s quota, the calls of each day by result, and the bookings and ' +
    'fees of a month. Days and months are in UTC. A call is counted within two seconds.',
  tier: 'free',
  scope: 'usage',
  input: z.strictObject({
    days: z.int().min(1).max(90).default(30).describe('Number of days, including today'),
    month: givenMonth.optional().describe('Month of the bookings and fees. Default: this month'),
  }),
  output: z.object({
    today: quotaToday,
    days: z.array(dayOfCalls).describe('Oldest first, including days without calls'),
    month: monthOfUse,
  }),
  errors: [],
  async run(ctx, { days, month = ctx.at.toISOString().slice(0, 7) }) {
    const [today, counted, used] = await Promise.all([
      quotaOf(ctx),
      callsOf(ctx, days),
      monthOf(ctx, month),
    ])
    return { today, days: counted, month: used }
  },
})

async function quotaOf(ctx: Context): Promise<z.infer<typeof quotaToday>> {
  const day = dayOf(ctx.at)
  const found = await selectOptionalUsed(ctx.db, accountOf(ctx).id, day)
  if (!found) throw new Error('the account of a call is not there')
  const limit = found.requests_per_day ?? ctx.settings.requestsPerDay[found.tier]
  return {
    day,
    used: found.used,
    limit,
    remaining: Math.max(0, limit - found.used),
    resets_at: new Date(Date.parse(day) + DAY_MS).toISOString(),
  }
}

async function callsOf(ctx: Context, count: number): Promise<DayOfCalls[]> {
  const today = Date.parse(dayOf(ctx.at))
  const days = Array.from({ length: count }, (_, n) =>
    dayOf(new Date(today - (count - 1 - n) * DAY_MS)),
  )
  const counts = await selectCallCounts(ctx.db, accountOf(ctx).id, days[0] ?? dayOf(ctx.at))
  const byDay = Map.groupBy(counts, ({ day }) => day)
  return days.map((day) => {
    const ofDay = byDay.get(day) ?? []
    return {
      day,
      calls: ofDay.reduce((sum, { calls }) => sum + calls, 0),
      by_code: Object.fromEntries(ofDay.map(({ code, calls }) => [code, calls])),
    }
  })
}

async function monthOf(ctx: Context, month: string): Promise<z.input<typeof monthOfUse>> {
  const accountId = accountOf(ctx).id
  const span = spanOf(month)
  const filter = { accountId, ...span, currency: null }
  const [by_status, { totals }] = await Promise.all([
    selectBookingCounts(ctx.db, accountId, span),
    selectFees(ctx.db, filter, { after: null, limit: 0 }),
  ])
  const bookings = Object.values(by_status).reduce((sum, count) => sum + count, 0)
  return { month, bookings, by_status, fees: totals }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)
