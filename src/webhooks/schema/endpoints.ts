import { z } from 'zod'
import { httpHeaders, named } from '../../contract/named.ts'
import { instant } from '../../contract/public.ts'
import { retrySchedule } from '../rules/retry-schedule.ts'
import { attemptStatuses, endpointStatuses, signingKeyStates } from '../rules/statuses.ts'

/** Counting stops here. */
export const MAX_COUNTED = 10_000

/** A signing key without its secret. */
export const signingKey = named('SigningKey', {
  id: z.uuid(),
  state: z
    .enum(signingKeyStates)
    .describe(
      '`current` signs every request, `expiring` ones also sign, a `staged` one signs only ' +
        'test events',
    ),
  valid_from: instant.nullable(),
  valid_until: instant.nullable(),
  created_at: instant,
})

/** An endpoint as its owner sees it. */
export const endpoint = named('Endpoint', {
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  headers: httpHeaders.describe('Each value is `[redacted]`'),
  rate_per_second: z.int().nullable(),
  fifo: z.boolean(),
  status: z
    .enum(endpointStatuses)
    .meta({ id: 'EndpointStatus' })
    .describe(
      'Only an `active` endpoint receives events; the others hold them. `unverified`: verify ' +
        'its URL first',
    ),
  status_reason: z
    .enum(['url_changed', 'owner', 'operator', 'gone', 'failing'])
    .nullable()
    .describe(
      '`url_changed`: the new URL has not been verified. `gone`: it answered 410. `failing`: ' +
        `every request failed for ${retrySchedule.disableDays} days. \`owner\`: you changed it. ` +
        '`operator`: the network’s operator changed it',
    ),
  verified: z.boolean().describe('The current URL is verified'),
  verified_at: instant
    .nullable()
    .describe('When a URL was first verified: events are kept for the endpoint from then on'),
  failing_since: instant.nullable().describe('Every request has failed since then'),
  wait_until: instant.nullable().describe('Nothing is sent before this instant'),
  wait_reason: z
    .enum(['breaker', 'retry_after', 'fifo', 'network'])
    .nullable()
    .describe(
      '`retry_after`: the receiver asked for it. `breaker`: it keeps failing. `fifo`: the ' +
        'first event in order waits for its next attempt. `network`, without a time: the network ' +
        'is sending late, and you need not do anything',
    ),
  last_sequence: z
    .int()
    .describe('The newest `sequence`: a receiver that missed nothing has all from 1 to this'),
  deliveries: z
    .object({
      pending: z.int(),
      failing: z.int().describe('Pending deliveries whose last attempt failed'),
      held: z.int(),
      failed: z.int(),
    })
    .describe(`Counted up to ${MAX_COUNTED} each`),
  keys: z.array(signingKey).describe('Its signing keys, without the secrets'),
  created_at: instant,
  updated_at: instant,
})
export type Endpoint = z.infer<typeof endpoint>

export const attemptStatus = z.enum(attemptStatuses).meta({ id: 'AttemptStatus' })

/** The outcome of a request that the owner triggered. `failure` is a category. */
export const sentAttempt = named('SentAttempt', {
  id: z.uuid(),
  status: attemptStatus,
  http_status: z.int().nullable(),
  failure: z.string().nullable(),
  ms: z.int().nullable(),
})
