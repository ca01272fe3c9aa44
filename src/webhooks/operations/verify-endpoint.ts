import { createHash, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/define.ts'
import * as shared from '../../contract/fields.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { RESUME_SIGNAL, type SentNow } from '../rules/webhooks.ts'
import { endpoint, sentAttempt } from '../schema/endpoints.ts'
import { proveEndpoint } from '../store/endpoint-states.ts'
import { type StoredEndpoint, selectOptionalEndpoint } from '../store/endpoints.ts'
import { releaseHeld } from '../store/held-deliveries.ts'
import * as fields from './endpoint-fields.ts'
import { attemptOf, ownEndpoint, signalEndpoint, startOf } from './own-endpoint.ts'

const output = z.object({
  status: z.enum(['verified', 'not_verified', 'pending']),
  endpoint,
  attempt: sentAttempt.optional(),
  next: fields.next.optional(),
})
type Outcome = z.input<typeof output>

export const verifyEndpoint = defineOperation({
  name: 'verify endpoint',
  summary: 'Prove that a URL is yours',
  description:
    'Sends a signed `endpoint.challenge` to the URL now. It is proved when a 2xx answer contains the text of `data.challenge`; or when you send ' +
    'that text here as `challenge`, read in the log of your receiver. Until then it gets no events.',
  tier: 'free',
  scope: 'webhooks',
  input: z.strictObject({
    id: fields.endpointId,
    challenge: z.string().min(1).max(200).optional().describe('What your receiver was sent'),
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
    const found = await selectOptionalEndpoint(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('endpoint_not_found')
    if (challenge !== undefined && !isSame(challenge, found.challenge)) {
      throw refuse('wrong_challenge')
    }
    if (challenge !== undefined) await prove(ctx, found)
    const before = await ownEndpoint(ctx, id)
    if (before.verified) return { status: 'verified' as const, endpoint: before }
    if (before.status === 'disabled') throw refuse('endpoint_disabled')
    const sent = await ctx.engine.challengeEndpoint(startOf(ctx, id), wait)
    return outcome(await ownEndpoint(ctx, id), sent)
  },
})

/** What is held is released first, so that nothing is sent that is past its time. */
async function prove(ctx: Context, { id, challenge }: StoredEndpoint): Promise<void> {
  const { db, at } = ctx
  const proof = { id, challenge, at }
  await releaseHeld(db, { id, status: 'unverified', at }, (tx) => proveEndpoint(tx, proof))
  await proveEndpoint(db, proof)
  await signalEndpoint(ctx, id, { name: RESUME_SIGNAL })
}

function outcome(endpoint: Outcome['endpoint'], sent: SentNow | 'pending'): Outcome {
  const { id, verified } = endpoint
  const attempt = sent === 'pending' || 'refused' in sent ? undefined : attemptOf(sent)
  if (verified) return { status: 'verified', endpoint, ...(attempt && { attempt }) }
  if (!attempt) {
    const next = `Read the endpoint ${id}, or verify again in some seconds.`
    return { status: 'pending', endpoint, next }
  }
  const next =
    attempt.status === 'succeeded'
      ? 'Your receiver answered without the challenge. Have it answer with the text of `data.challenge`, or send that text here as `challenge`.'
      : 'The challenge did not arrive, see `attempt`. Mend the receiver or the URL and verify again.'
  return { status: 'not_verified', endpoint, attempt, next }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
/** Compared in a time that says nothing about how much of it is right. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
