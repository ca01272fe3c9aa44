import { z } from 'zod'
import { DAY_MS } from '../../base/durations.ts'
import { type ErrorCode, errorCatalogue } from '../../base/error-catalogue.ts'
import { countBookingsAhead, selectBookingsAhead } from '../../bookings/store/bookings-ahead.ts'
import { selectFees } from '../../bookings/store/fee-list.ts'
import { spanOf } from '../../contract/fields.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import { readEndpointHealth } from '../../webhooks/operations/endpoint-health.ts'
import type { PlanContext } from '../hooks.ts'
import { MAX_COUNTED, type NextStep, nextSteps, overview } from '../schema/overview.ts'
import { selectProgress, selectRefusals } from '../store/overview.ts'
import { quotaToday } from './read-usage.ts'

const MAX_AHEAD = 5
const MAX_CODES = 10

export const readOverview = defineOperation({
  name: 'overview',
  summary: 'What needs your attention',
  description:
    'Returns the health of the endpoints, today’s and upcoming bookings, the refusals of the ' +
    'last 24 hours by code, the quota, the fees of this month, and what to do next.',
  scope: 'usage',
  input: z.strictObject({}),
  output: overview,
  async run(ctx: PlanContext) {
    const { id, tier } = accountOf(ctx)
    const { db, at } = ctx
    const month = at.toISOString().slice(0, 7)
    const filter = { accountId: id, ...spanOf(month), currency: null }
    const [quota, steps, endpoints, counts, ahead, refusals, { totals }] = await Promise.all([
      quotaToday(ctx),
      stepsOf(ctx),
      ctx.scopes.includes('webhooks') ? readEndpointHealth(ctx, id) : null,
      countBookingsAhead(db, id, at, MAX_COUNTED),
      selectBookingsAhead(db, id, at, MAX_AHEAD),
      selectRefusals(db, id, new Date(at.getTime() - DAY_MS), MAX_CODES),
      selectFees(db, filter, { after: null, limit: 0 }),
    ])
    return {
      tier,
      next_steps: steps,
      endpoints,
      bookings: { ...counts, ahead },
      refusals: refusals.map((one) => ({ ...one, title: titleOf(one.code) })),
      quota,
      month: { month, fees: totals },
    }
  },
})

/** A call made before an upgrade may have a code no longer in the catalogue. */
const titleOf = (code: string): string => errorCatalogue[code as ErrorCode]?.title ?? code

/** The other steps concern the live account. */
const stepsOfSandbox: readonly NextStep[] = ['test_booking', 'create_endpoint']

async function stepsOf(ctx: PlanContext): Promise<NextStep[]> {
  const { id, tier, mode } = accountOf(ctx)
  const progress = await selectProgress(ctx.db, id)
  const isDone: Record<NextStep, boolean> = {
    // If the network sends no email, nobody can verify an address.
    verify_email: progress.has_verified || !ctx.settings.sendsMail,
    create_key: progress.has_key,
    first_call: progress.has_called,
    test_booking: progress.has_tested || progress.has_booked,
    upgrade: tier === 'pro' || progress.has_booked,
    first_booking: progress.has_booked,
    create_endpoint: progress.has_endpoint,
  }
  const steps = mode === 'test' ? stepsOfSandbox : nextSteps
  return steps.filter((step) => !isDone[step])
}
