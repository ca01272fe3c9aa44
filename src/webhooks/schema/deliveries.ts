import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { attemptCauses, attemptStatuses, shownDeliveryStatuses } from '../rules/webhooks.ts'

/** One event for one endpoint, as the owner of both sees it. */
export const delivery = z.object({
  id: z.uuid(),
  event: z.object({
    id: z.uuid().describe('The `webhook-id` of every attempt'),
    number: z.int(),
    type: z.string(),
  }),
  endpoint_id: z.uuid(),
  status: z
    .enum(shownDeliveryStatuses)
    .describe(
      '`held`: its endpoint is not active. `discarded`: by you. `expired`: held for too long',
    ),
  sequence: z
    .int()
    .nullable()
    .describe('Its number in what this endpoint was sent; null while it was not'),
  tries: z.int().describe('Tries of the schedule, of which there are ten'),
  attempt_count: z.int().describe('Requests of any kind that were sent for it'),
  last_attempt: z
    .object({
      status: z.enum(attemptStatuses),
      started_at: instant,
      ms: z.int().nullable(),
      http_status: z.int().nullable(),
      failure: z.string().nullable(),
    })
    .nullable(),
  next: z
    .object({ at: instant.nullable(), rule: z.string() })
    .nullable()
    .describe('When it is tried next, and the rule that says so; null when it is not'),
  give_up_at: instant.describe('It fails when it has not arrived by then'),
  delivered_at: instant.nullable().describe('When it first arrived'),
  replay_id: z.uuid().nullable().describe('The replay that put it up last'),
  created_at: instant,
  updated_at: instant,
})
export type Delivery = z.infer<typeof delivery>

/** One request to a subscriber, with its secrets hidden. */
export const attempt = z.object({
  id: z.uuid(),
  number: z.int(),
  cause: z.enum(attemptCauses),
  status: z
    .enum(attemptStatuses)
    .describe('`unknown`: we stopped while it was under way, and it may have arrived'),
  started_at: instant,
  ms: z.int().nullable(),
  http_status: z.int().nullable(),
  failure: z
    .object({ category: z.string(), text: z.string() })
    .nullable()
    .describe('Why it does not count'),
  request: z.object({
    method: z.literal('POST'),
    url: z.string(),
    headers: z
      .record(z.string(), z.string())
      .describe('As they were sent, with ••• for what is secret'),
    signed_with: z.array(z.uuid()).describe('The keys of the signatures, the newest first'),
  }),
  response: z
    .object({
      headers: z.record(z.string(), z.unknown()),
      body: z.string().nullable().describe('Its first 16 kB'),
      truncated: z.boolean(),
    })
    .nullable(),
  next: z
    .object({ at: instant.nullable(), rule: z.string().nullable() })
    .nullable()
    .describe('What it led to: when the delivery was to be tried next, and why then'),
})
export type Attempt = z.infer<typeof attempt>

/** What was sent to endpoints in an hour or a day. */
export const deliverySpan = z.object({
  at: instant.describe('When it began'),
  succeeded: z.int(),
  failed: z.int().describe('Failed, or of unknown outcome'),
  p50_ms: z.number().nullable().describe('Half were answered within; null: nothing was answered'),
  p95_ms: z.number().nullable().describe('95 % were answered within'),
})
export type DeliverySpan = z.infer<typeof deliverySpan>
