import { z } from 'zod'
import { accountOf, defineOperation } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type DeliverySpan, deliverySpan } from '../schema/deliveries.ts'
import { selectRecentSpans } from '../store/delivery-stats.ts'
import { selectOptionalReplayTarget } from '../store/replays.ts'
import { endpointId } from './endpoint-fields.ts'

const HOUR_MS = 3_600_000
const units = { hour: HOUR_MS, day: 24 * HOUR_MS } as const
/** A period of more hours is told by the day. */
const MOST_BY_HOUR = 48

export const deliveryStats = defineOperation({
  name: 'delivery statistics',
  summary: 'How your endpoints do',
  description:
    'Answers for each hour, or for each day (UTC) of a period of more than 48 hours, how many requests to your endpoints succeeded and failed, and how long the ' +
    'answers took. Up to a minute old. Attempts are kept as long as their deliveries.',
  tier: 'free',
  scope: 'webhooks',
  input: z.strictObject({
    endpoint: endpointId.optional(),
    hours: z.int().min(1).max(720).default(24).describe('So far back, the hour that runs included'),
  }),
  output: z.object({
    unit: z.enum(['hour', 'day']),
    spans: z.array(deliverySpan).describe('Oldest first, also those in which nothing was sent'),
  }),
  errors: ['endpoint_not_found'],
  async run(ctx, { endpoint = null, hours }) {
    const accountId = accountOf(ctx).id
    if (endpoint && !(await selectOptionalReplayTarget(ctx.db, accountId, endpoint))) {
      throw refuse('endpoint_not_found')
    }
    const unit = hours > MOST_BY_HOUR ? ('day' as const) : ('hour' as const)
    const step = units[unit]
    const last = Math.floor(ctx.at.getTime() / step) * step
    const count = Math.ceil((hours * HOUR_MS) / step)
    const since = new Date(last - (count - 1) * step)
    const filter = { accountId, endpointId: endpoint, unit, since }
    const found = await selectRecentSpans(ctx.db, filter)
    const byStart = new Map(found.map((span) => [span.at, span]))
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
