import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { endpointStatuses, replayStatuses } from '../rules/webhooks.ts'
import { MOST_COUNTED } from './endpoints.ts'

/** What a replay comes to, counted beforehand: of a long one, its first events. */
export const replayCounts = z.object({
  would_send: z
    .int()
    .describe(
      `Events that are put up again; of the first ${MOST_COUNTED} that were found, as the others`,
    ),
  under_way: z.int().describe('Events that are pending, held or being sent: they are left alone'),
  never_attempted: z.int().describe('Those of `would_send` that this endpoint was never sent'),
})
export type ReplayCounts = z.infer<typeof replayCounts>

/** A replay as the owner of its endpoint sees it. */
export const replay = z.object({
  id: z.uuid(),
  endpoint_id: z.uuid(),
  endpoint_status: z
    .enum(endpointStatuses)
    .describe('Only an active one is sent anything; the others hold the replay too'),
  status: z
    .enum(replayStatuses)
    .describe('`completed`: all of it is put up; its deliveries go on by their schedule'),
  chosen: z.record(z.string(), z.unknown()).describe('Which events, as it was asked for'),
  per_second: z.int(),
  total: z
    .int()
    .describe(`Events that were found when it began; at most ${MOST_COUNTED} are counted`),
  queued: z.int().describe('Put up for delivery so far'),
  left_alone: z.int().describe('Found pending or under way when their turn came'),
  deliveries: z
    .object({ under_way: z.int(), delivered: z.int(), not_delivered: z.int() })
    .describe(
      `What became of those that were put up, unless a later replay took them over; at most ${MOST_COUNTED} of each are counted`,
    ),
  created_at: instant,
  updated_at: instant,
})
export type Replay = z.infer<typeof replay>
