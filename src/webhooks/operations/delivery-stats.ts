import { z } from 'zod'
import { DAY_MS, HOUR_MS } from '../../base/durations.ts'
import { refuse } from '../../base/errors.ts'
import { accountOf } from '../../contract/operation.ts'
import { type DeliverySpan, deliverySpan } from '../schema/deliveries.ts'
import { selectRecentSpans } from '../store/delivery-stats.ts'
import { selectOptionalReplayTarget } from '../store/replays.ts'
import { endpointId } from './endpoint-fields.ts'
import { webhookOperation } from './webhook-operation.ts'

const units = { hour: HOUR_MS, day: DAY_MS } as const
/** Longer periods are reported by day. */
const MAX_BY_HOUR = 48

export const deliveryStats = webhookOperation({
  name: 'delivery statistics',
  summary: 'Delivery statistics of your endpoints',
  description:
    'Counts the requests to your endpoints that succeeded and failed, with response times, by ' +
    'hour, or by day (UTC) for more than 48 hours. Up to a minute old. Attempts are kept as ' +
    'long as their deliveries.',
  part: 'usage',
  input: z.strictObject({
    endpoint: endpointId.optional(),
    hours: z
      .int()
      .min(1)
      .max(720)
      .default(24)
      .describe('Length of the period, including the current hour'),
  }),
  output: z.object({
    unit: z.enum(['hour', 'day']),
    spans: z.array(deliverySpan).describe('Oldest first, including empty ones'),
  }),
  errors: ['endpoint_not_found'],
  async run(ctx, { endpoint = null, hours }) {
    const accountId = accountOf(ctx).id
    if (endpoint && !(await selectOptionalReplayTarget(ctx.db, accountId, endpoint))) {
      throw refuse('endpoint_not_found')
    }
    const unit = hours > MAX_BY_HOUR ? ('day' as const) : ('hour' as const)
    const step = units[unit]
    const last = Math.floor(ctx.at.getTime() / step) * step
    const count = Math.ceil((hours * HOUR_MS) / step)
    const since = new Date(last - (count - 1) * step)
    const filter = { accountId, endpointId: endpoint, unit, since }
    const rows = await selectRecentSpans(ctx.db, filter)
    const byStart = new Map(rows.map((span) => [span.at, span]))
    const starts = Array.from({ length: count }, (_, n) => since.getTime() + n * step)
    const spans = starts.map((start) => {
      const at = new Date(start).toISOString()
      return byStart.get(at) ?? nothing(at)
    })
    return { unit, spans }
  },
})

const nothing = (at: string): DeliverySpan => ({
  at,
  succeeded: 0,
  failed: 0,
  p50_ms: null,
  p95_ms: null,
})
