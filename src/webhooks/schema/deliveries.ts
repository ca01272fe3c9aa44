import { z } from 'zod'
import { foreign } from '../../contract/foreign-text.ts'
import { anyObject, httpHeaders, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { retrySchedule } from '../rules/retry-schedule.ts'
import { attemptCauses, shownDeliveryStatuses } from '../rules/statuses.ts'
import { attemptStatus } from './endpoints.ts'

const nextAttempt = named('NextAttempt', { at: instant.nullable(), rule: z.string().nullable() })

/** An event's delivery to one endpoint, as the owner sees it. */
export const delivery = named('Delivery', {
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
      '`held`: its endpoint is not active. `discarded`: you discarded it. `expired`: it was ' +
        'held for too long',
    ),
  sequence: z
    .int()
    .nullable()
    .describe('Its number among the deliveries of this endpoint; null until it is first sent'),
  tries: z
    .int()
    .describe(`Attempts of the retry schedule used so far, of ${retrySchedule.attempts}`),
  attempt_count: z.int().describe('All requests sent for the delivery, whatever their cause'),
  last_attempt: z
    .object({
      status: attemptStatus,
      started_at: instant,
      ms: z.int().nullable(),
      http_status: z.int().nullable(),
      failure: z.string().nullable(),
    })
    .nullable(),
  next: nextAttempt
    .nullable()
    .describe('The next attempt and the rule behind it; null when there is none'),
  give_up_at: instant.describe('The delivery fails unless it arrives before this'),
  delivered_at: instant.nullable().describe('When it first arrived'),
  replay_id: z.uuid().nullable().describe('The replay that last enqueued it'),
  created_at: instant,
  updated_at: instant,
})
export type Delivery = z.infer<typeof delivery>

/** One request to a subscriber, with secrets hidden. */
export const attempt = named('Attempt', {
  id: z.uuid(),
  number: z.int(),
  cause: z.enum(attemptCauses),
  status: attemptStatus.describe(
    '`unknown`: the sender crashed before recording the outcome; it may have arrived',
  ),
  started_at: instant,
  ms: z.int().nullable(),
  http_status: z.int().nullable(),
  failure: z
    .object({ category: z.string(), text: z.string() })
    .nullable()
    .describe('Why it did not succeed'),
  request: z.object({
    method: z.literal('POST'),
    url: z.string(),
    headers: httpHeaders.describe(
      'As sent, with ••• in place of custom headers and of signatures with an erased secret',
    ),
    signed_with: z.array(z.uuid()).describe('Ids of the signing keys, newest first'),
  }),
  response: z
    .object({
      headers: foreign('As they came', anyObject),
      body: foreign('The first 16 kB', z.string().nullable()),
      truncated: z.boolean(),
    })
    .nullable(),
  next: nextAttempt
    .nullable()
    .describe('The next attempt that was scheduled after this one, and the rule behind it'),
})
export type Attempt = z.infer<typeof attempt>

/** The number of requests to endpoints in one hour or day. */
export const deliverySpan = named('DeliverySpan', {
  at: instant.describe('Start of the hour or day'),
  succeeded: z.int(),
  failed: z.int().describe('Failed, or with an unknown outcome'),
  p50_ms: z.number().nullable().describe('Median response time; null without a response'),
  p95_ms: z.number().nullable().describe('95th percentile of response times'),
})
export type DeliverySpan = z.infer<typeof deliverySpan>
