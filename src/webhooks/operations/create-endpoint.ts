import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as shared from '../../contract/fields.ts'
import { earlierUse } from '../../contract/idempotency.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { MAX_ENDPOINTS } from '../rules/limits.ts'
import { endpoint } from '../schema/endpoints.ts'
import { hasMaxEndpoints, insertEndpoint } from '../store/endpoints.ts'
import { insertSigningKey, signingKeyContext } from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { checkUrl, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { sealHeaders } from './seal-headers.ts'
import { secretFrom } from './secret-from.ts'

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
type Input = Omit<z.output<typeof input>, 'idempotency_key'>

export const createEndpoint = defineOperation({
  name: 'create endpoint',
  summary: 'Register a webhook endpoint',
  description:
    'Registers a URL that receives events, signed as Standard Webhooks specifies. The answer ' +
    'shows the signing secret once. Verify the URL next: nothing is sent before. An account ' +
    `can have ${MAX_ENDPOINTS} endpoints.`,
  tier: 'free',
  scope: 'webhooks',
  input,
  output: z.object({
    endpoint,
    secret: fields.shownSecret,
    replayed: shared.replayed.optional(),
    next: fields.next,
  }),
  errors: ['url_not_allowed', 'endpoint_limit', 'endpoint_not_found', 'idempotency_mismatch'],
  async run(ctx, { idempotency_key: key, ...asked }) {
    checkUrl(ctx, asked.url)
    const secret = secretFrom(ctx, asked.secret)
    const id = randomUUIDv7()
    const earlier = await transaction(ctx.db, async (tx) => {
      const use = { operation: 'endpoint', subjectId: id, asked }
      const repeated = await earlierUse(tx, ctx, key, use)
      if (!repeated) await record(tx, ctx, { id, asked, secret })
      return repeated
    })
    if (earlier)
      return { endpoint: await ownEndpoint(ctx, earlier), replayed: true, next: alreadyShown }
    await signalEndpoint(ctx, id)
    return { endpoint: await ownEndpoint(ctx, id), secret, next: nextAfter(id) }
  },
})

const alreadyShown =
  'The secret was shown when the endpoint was created. If you have lost it, rotate the secret.'

const nextAfter = (id: string) =>
  `Give the secret to your receiver, then POST /api/webhooks/${id}/verify: it sends a ` +
  'challenge to repeat.'

async function record(
  tx: Db,
  ctx: Context,
  { id, asked, secret }: { id: string; asked: Input; secret: string },
): Promise<void> {
  const accountId = accountOf(ctx).id
  const endpoint = {
    id,
    accountId,
    url: asked.url,
    description: asked.description,
    event_types: [...new Set(asked.event_types)],
    ...sealHeaders(ctx, id, asked.headers),
    rate_per_second: asked.rate_per_second,
    is_fifo: asked.fifo,
    challenge: newChallenge(),
    at: ctx.at,
  }
  while (!(await insertEndpoint(tx, endpoint))) {
    if (await hasMaxEndpoints(tx, accountId)) {
      throw refuse('endpoint_limit', `An account can have ${MAX_ENDPOINTS} endpoints.`)
    }
  }
  const keyId = randomUUIDv7()
  await insertSigningKey(tx, {
    id: keyId,
    endpointId: id,
    secret: ctx.egress.seal(secret, signingKeyContext(keyId)),
    validFrom: ctx.at,
    at: ctx.at,
  })
}

/** The text that a URL must repeat: 192 random bits. */
export const newChallenge = (): string => randomBytes(24).toString('base64url')
