import { randomBytes, randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/define.ts'
import * as shared from '../../contract/fields.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { earlierUse } from '../../contract/use-key.ts'
import { type Db, transaction } from '../../platform/database/sql.ts'
import { MOST_ENDPOINTS } from '../rules/webhooks.ts'
import { endpoint } from '../schema/endpoints.ts'
import { hasMostEndpoints, insertEndpoint } from '../store/endpoints.ts'
import { insertSigningKey, signingKeyContext } from '../store/signing-keys.ts'
import * as fields from './endpoint-fields.ts'
import { judgeUrl, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
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
type Asked = Omit<z.output<typeof input>, 'idempotency_key'>

export const createEndpoint = defineOperation({
  name: 'create endpoint',
  summary: 'Have events delivered to you',
  description:
    'Registers a URL for events, signed after Standard Webhooks. The answer shows the signing secret, this once. It gets nothing until it ' +
    `has proved itself: verify it next. At most ${MOST_ENDPOINTS} endpoints.`,
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
    judgeUrl(ctx, asked.url)
    const secret = secretFrom(ctx, asked.secret)
    const id = randomUUIDv7()
    const earlier = await transaction(ctx.db, async (tx) => {
      const use = { operation: 'endpoint', subjectId: id, asked }
      const repeated = await earlierUse(tx, ctx, key, use)
      if (!repeated) await record(tx, ctx, { id, asked, secret })
      return repeated
    })
    if (earlier) return { endpoint: await ownEndpoint(ctx, earlier), replayed: true, next: shown }
    await signalEndpoint(ctx, id)
    return { endpoint: await ownEndpoint(ctx, id), secret, next: nextAfter(id) }
  },
})

const shown =
  'The secret was shown when the endpoint was made, and is not shown again. Where it was lost: rotate.'

const nextAfter = (id: string) =>
  `Give the secret to your receiver, then POST /api/webhooks/${id}/verify: it is sent a challenge to repeat.`

async function record(
  tx: Db,
  ctx: Context,
  { id, asked, secret }: { id: string; asked: Asked; secret: string },
): Promise<void> {
  const accountId = accountOf(ctx).id
  const endpoint = {
    id,
    accountId,
    url: asked.url,
    description: asked.description,
    eventTypes: [...new Set(asked.event_types)],
    ...sealHeaders(ctx, id, asked.headers),
    ratePerSecond: asked.rate_per_second,
    isFifo: asked.fifo,
    challenge: newChallenge(),
    at: ctx.at,
  }
  while (!(await insertEndpoint(tx, endpoint))) {
    if (await hasMostEndpoints(tx, accountId)) {
      throw refuse('endpoint_limit', `An account can have ${MOST_ENDPOINTS} endpoints.`)
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

/** What an address is asked to repeat: 192 random bits. */
export const newChallenge = (): string => randomBytes(24).toString('base64url')
