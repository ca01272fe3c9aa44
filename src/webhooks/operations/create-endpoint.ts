import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { limitedAs } from '../../base/throttle.ts'
import { recordAudit } from '../../contract/audit.ts'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { requireVerified } from '../../contract/members.ts'
import { accountOf } from '../../contract/operation.ts'
import { inChangeTurn } from '../../platform/database/change-turns.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { throttleCaller } from '../../platform/database/throttle.ts'
import type { WebhookContext } from '../engine.ts'
import { endpointsCreated, USUAL_ENDPOINTS } from '../rules/limits.ts'
import { endpoint } from '../schema/endpoints.ts'
import { insertSecret } from '../steps/add-key.ts'
import { hasMaxEndpoints, insertEndpoint } from '../store/endpoints.ts'
import * as fields from './endpoint-fields.ts'
import { checkUrl, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { sealHeaders } from './seal-headers.ts'
import { secretFrom } from './signing-secrets.ts'
import { webhookOperation } from './webhook-operation.ts'

const input = z.strictObject({
  url: fields.url,
  description: fields.description.default(''),
  event_types: fields.eventTypes.default(['*']),
  headers: fields.headers.default({}),
  rate_per_second: fields.ratePerSecond.default(null),
  fifo: fields.fifo.default(false),
  secret: fields.secret.optional(),
  idempotency_key: shared.idempotencyKey.optional(),
})

export const createEndpoint = webhookOperation({
  name: 'create endpoint',
  audit: 'endpoint.created',
  summary: 'Register a webhook endpoint',
  description:
    'Registers a URL that receives events, signed as Standard Webhooks specifies. An account ' +
    'that signed up needs a verified email address. The answer shows the signing secret once. ' +
    `Verify the URL next: nothing is sent until then. An account can have ${USUAL_ENDPOINTS} ` +
    'endpoints, or as many as the operator allows.',
  input,
  output: z.object({
    endpoint,
    secret: fields.shownSecret,
    replayed: shared.replayed.optional(),
    next: fields.next,
  }),
  errors: [
    'email_unverified',
    'url_not_allowed',
    'endpoint_limit',
    'endpoint_not_found',
    'idempotency_mismatch',
    'too_many_tries',
  ],
  async run(ctx, { idempotency_key: key, ...request }) {
    checkUrl(ctx, request.url)
    const secret = secretFrom(ctx, request.secret)
    const id = randomUUIDv7()
    const use = { operation: 'endpoint', subjectId: id, asked: request }
    const create = async (tx: Db) => {
      const repeated = await earlierUse(tx, ctx, key, use)
      if (!repeated) await record(tx, ctx, id, { ...request, secret })
      return repeated
    }
    const limited = limitedAs(accountOf(ctx))
    const earlier = await inChangeTurn(ctx.db, limited, () => transaction(ctx.db, create))
    if (earlier) {
      const next =
        'The secret was shown when the endpoint was created. If you have lost it, rotate it.'
      return { endpoint: await ownEndpoint(ctx, earlier), replayed: true, next }
    }
    await signalEndpoint(ctx, id)
    const next =
      `Give the secret to your receiver, then POST /api/webhooks/${id}/verify: it sends a ` +
      'challenge to sign.'
    return { endpoint: await ownEndpoint(ctx, id), secret, next }
  },
})

type NewTerms = Omit<z.output<typeof input>, 'idempotency_key'> & { secret: string }

async function record(tx: Db, ctx: WebhookContext, id: string, request: NewTerms): Promise<void> {
  const accountId = accountOf(ctx).id
  // Refuses an account without any verified email address: nothing is sent for it.
  await requireVerified(tx, ctx, 'Endpoints need')
  await throttleCaller(tx, endpointsCreated, ctx)
  const endpoint = {
    id,
    accountId,
    ...request,
    event_types: [...new Set(request.event_types)],
    ...sealHeaders(ctx, id, request.headers),
    challenge: newChallenge(),
    at: ctx.at,
  }
  const { endpointsPerAccount: most } = ctx.settings
  while (!(await insertEndpoint(tx, endpoint, most))) {
    if (await hasMaxEndpoints(tx, accountId, most)) {
      throw refuse('endpoint_limit', `An account can have ${most} endpoints.`)
    }
  }
  const { secret } = request
  const key = { id: randomUUIDv7(), endpointId: id, secret, validFrom: ctx.at, at: ctx.at }
  await insertSecret(tx, ctx.egress, key)
  const details = { event_types: endpoint.event_types }
  await recordAudit(tx, ctx, 'endpoint.created', { id, name: request.url, details })
}

/** The text that a receiver signs: 192 random bits. */
export const newChallenge = (): string => randomBytes(24).toString('base64url')
