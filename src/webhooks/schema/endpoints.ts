import { z } from 'zod'
import { instant } from '../../contract/public.ts'
import { attemptStatuses, endpointStatuses, signingKeyStates } from '../rules/webhooks.ts'

/** Where counting ends. */
export const MOST_COUNTED = 10_000

/** A signing secret as its owner sees it: everything but the secret. */
const signingKey = z.object({
  id: z.uuid(),
  state: z
    .enum(signingKeyStates)
    .describe('`expiring` ones sign beside the current one; a staged one signs nothing but tests'),
  valid_from: instant.nullable(),
  valid_until: instant.nullable(),
  created_at: instant,
})

/** An endpoint as its owner sees it, with how it does. */
export const endpoint = z.object({
  id: z.uuid(),
  url: z.string(),
  description: z.string(),
  event_types: z.array(z.string()),
  headers: z.record(z.string(), z.literal('[redacted]')),
  rate_per_second: z.int().nullable(),
  fifo: z.boolean(),
  status: z
    .enum(endpointStatuses)
    .describe(
      'Only an `active` one is sent events; the others hold them. `unverified`: it has to prove itself, see verify',
    ),
  status_reason: z
    .enum(['url_changed', 'owner', 'gone', 'failing'])
    .nullable()
    .describe(
      '`url_changed`: the new address has to prove itself. `gone`: it answered 410. `failing`: nothing but failures for 5 days. `owner`: you did',
    ),
  verified: z.boolean().describe('The address that it has now has proved itself'),
  verified_at: instant.nullable().describe('First proof: events are kept for it from then on'),
  failing_since: instant.nullable().describe('Every attempt has failed since then'),
  wait_until: instant.nullable().describe('Nothing is sent before'),
  wait_reason: z
    .enum(['breaker', 'retry_after', 'fifo'])
    .nullable()
    .describe(
      '`retry_after`: the receiver said so. `breaker`: it failed again and again. `fifo`: the first in order waits for its next try',
    ),
  last_sequence: z.int().describe('The number of its newest delivery: a receiver has all from 1'),
  deliveries: z
    .object({ pending: z.int(), held: z.int(), failed: z.int() })
    .describe(`At most ${MOST_COUNTED} of each are counted`),
  keys: z.array(signingKey).describe('Its secrets, never the secrets themselves'),
  created_at: instant,
  updated_at: instant,
})
export type Endpoint = z.infer<typeof endpoint>

/** What came of a request that was sent at its owner's wish; `failure` is a category. */
export const sentAttempt = z.object({
  id: z.uuid(),
  status: z.enum(attemptStatuses),
  http_status: z.int().nullable(),
  failure: z.string().nullable(),
  ms: z.int().nullable(),
})
