import { z } from 'zod'
import { anyObject, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { replayStatuses } from '../rules/statuses.ts'
import { endpoint, MAX_COUNTED } from './endpoints.ts'

/** What a replay would send, counted before it begins. */
export const replayCounts = named('ReplayCounts', {
  would_send: z
    .int()
    .describe(`Events that would be sent again. Counting stops after ${MAX_COUNTED} matches`),
  in_flight: z.int().describe('Events that are pending, held or being sent: they are skipped'),
  never_attempted: z.int().describe('Events of `would_send` that this endpoint was never sent'),
})
export type ReplayCounts = z.infer<typeof replayCounts>

/** A replay as the endpoint's owner sees it. */
export const replay = named('Replay', {
  id: z.uuid(),
  endpoint_id: z.uuid(),
  endpoint_status: endpoint.shape.status.describe(
    'Only an active endpoint receives anything; the others hold the replay too',
  ),
  status: z
    .enum(replayStatuses)
    .describe('`completed`: all of it is enqueued; its deliveries follow the retry schedule'),
  chosen: anyObject.describe('Which events, as requested'),
  per_second: z.int(),
  total: z.int().describe(`Events that matched when it began, counted up to ${MAX_COUNTED}`),
  queued: z.int().describe('Events enqueued so far'),
  skipped: z.int().describe('Events that were already pending or in flight'),
  deliveries: z
    .object({
      in_flight: z.int(),
      delivered: z.int(),
      not_delivered: z.int(),
    })
    .describe(
      'Outcomes of the enqueued events, except those that a later replay enqueued. Counted up ' +
        `to ${MAX_COUNTED} each`,
    ),
  created_at: instant,
  updated_at: instant,
})
export type Replay = z.infer<typeof replay>
