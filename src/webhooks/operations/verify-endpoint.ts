import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf } from '../../contract/operation.ts'
import type { SentNow } from '../rules/endpoint-messages.ts'
import { endpoint, sentAttempt } from '../schema/endpoints.ts'
import { releaseAndProve } from '../steps/prove-endpoint.ts'
import { selectOptionalEndpoint } from '../store/endpoints.ts'
import * as fields from './endpoint-fields.ts'
import { ownEndpoint, signalEndpoint, startOf } from './own-endpoint.ts'
import { webhookOperation } from './webhook-operation.ts'

const output = z.object({
  status: z.enum(['verified', 'not_verified', 'pending']),
  endpoint,
  attempt: sentAttempt.optional(),
  next: fields.next.optional(),
})
type Outcome = z.input<typeof output>

export const verifyEndpoint = webhookOperation({
  name: 'verify endpoint',
  summary: 'Verify the URL of an endpoint',
  description:
    'Sends a signed `endpoint.challenge` to the URL now, without your custom headers. The URL ' +
    'is verified when a 2xx response contains the signature of the text in `data.challenge`: ' +
    'what `sign` of a Standard Webhooks library returns for it with the `webhook-id` and ' +
    '`webhook-timestamp` of the request. Or send that text here as `challenge`, from the log ' +
    'of your receiver. Until then the endpoint gets no events.',
  changes: true,
  input: z.strictObject({
    id: fields.endpointId,
    challenge: z.string().min(1).max(200).optional().describe('The text sent to your receiver'),
    wait: shared.wait,
  }),
  output,
  errors: [
    'endpoint_not_found',
    'endpoint_disabled',
    'wrong_challenge',
    'booking_engine_unavailable',
  ],
  async run(ctx, { id, challenge, wait }) {
    const row = await selectOptionalEndpoint(ctx.db, accountOf(ctx).id, id)
    if (!row) throw refuse('endpoint_not_found')
    if (challenge !== undefined && !isSame(challenge, row.challenge)) {
      throw refuse('wrong_challenge')
    }
    if (challenge !== undefined) {
      await releaseAndProve(ctx.db, { id, challenge: row.challenge, at: ctx.at })
      await signalEndpoint(ctx, id)
    }
    const before = await ownEndpoint(ctx, id)
    if (before.verified) return { status: 'verified' as const, endpoint: before }
    if (before.status === 'disabled') throw refuse('endpoint_disabled')
    const result = await ctx.engine.challengeEndpoint(startOf(ctx, id), wait)
    return outcome(await ownEndpoint(ctx, id), result)
  },
})

function outcome(endpoint: Outcome['endpoint'], result: SentNow | 'pending'): Outcome {
  const { id, verified } = endpoint
  const attempt = result === 'pending' || 'refused' in result ? undefined : result
  if (verified) return { status: 'verified', endpoint, ...(attempt && { attempt }) }
  if (!attempt) {
    const next = `Read the endpoint ${id}, or verify again in a few seconds.`
    return { status: 'pending', endpoint, next }
  }
  const next =
    attempt.status === 'succeeded'
      ? 'Your receiver answered without the signature of the challenge. Make it answer, as ' +
        'plain text, with the signature of `data.challenge` under `webhook-id` and ' +
        '`webhook-timestamp` of the request, or send that text here as `challenge`.'
      : 'The challenge did not arrive: see `attempt`. Fix the receiver or the URL and verify again.'
  return { status: 'not_verified', endpoint, attempt, next }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
/** In constant time. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
