import { z } from 'zod'
import { type Context, defineOperation } from '../../contract/define.ts'
import { invalidRequest } from '../../contract/rules/invalid-request.ts'
import { transaction } from '../../platform/database/sql.ts'
import { MOST_HEADERS } from '../rules/endpoint-headers.ts'
import { endpoint } from '../schema/endpoints.ts'
import { askForProof } from '../store/endpoint-states.ts'
import { type EndpointTerms, type StoredEndpoint, updateEndpointTerms } from '../store/endpoints.ts'
import { newChallenge } from './create-endpoint.ts'
import * as fields from './endpoint-fields.ts'
import { judgeUrl, lockOwnEndpoint, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { openHeaders, sealHeaders } from './seal-headers.ts'

const input = z.strictObject({
  id: fields.endpointId,
  url: fields.url.optional(),
  description: fields.description.optional(),
  event_types: fields.eventTypes.optional(),
  headers: fields.headerChanges.optional(),
  rate_per_second: fields.ratePerSecond.optional(),
  fifo: fields.fifo.optional(),
})
type Asked = z.output<typeof input>

export const updateEndpoint = defineOperation({
  name: 'update endpoint',
  summary: 'Change an endpoint',
  description:
    'Changes what is given and leaves the rest. Another URL has to prove itself like a new endpoint; until then events are held. ' +
    'Events that are put up already stay so, whatever `event_types` says from now on.',
  tier: 'free',
  scope: 'webhooks',
  input,
  output: z.object({ endpoint, next: fields.next.optional() }),
  errors: ['endpoint_not_found', 'url_not_allowed'],
  async run(ctx, { id, ...asked }) {
    if (asked.url !== undefined) judgeUrl(ctx, asked.url)
    const isMoved = await transaction(ctx.db, async (tx) => {
      const before = await lockOwnEndpoint(tx, ctx, id)
      const terms = newTerms(ctx, before, asked)
      await updateEndpointTerms(tx, id, terms, ctx.at)
      if (terms.url === before.url) return false
      await askForProof(tx, id, newChallenge())
      return true
    })
    await signalEndpoint(ctx, id)
    const next = `The new URL has to prove itself: POST /api/webhooks/${id}/verify. Events are held until then.`
    return { endpoint: await ownEndpoint(ctx, id), ...(isMoved && { next }) }
  },
})

const newTerms = (
  ctx: Context,
  before: StoredEndpoint,
  asked: Omit<Asked, 'id'>,
): EndpointTerms => ({
  url: asked.url ?? before.url,
  description: asked.description ?? before.description,
  eventTypes: asked.event_types ? [...new Set(asked.event_types)] : before.eventTypes,
  ratePerSecond: asked.rate_per_second === undefined ? before.ratePerSecond : asked.rate_per_second,
  isFifo: asked.fifo ?? before.isFifo,
  ...headersAfter(ctx, before, asked.headers),
})

function headersAfter(
  ctx: Context,
  { id, headerNames, headers }: StoredEndpoint,
  changes: Asked['headers'],
): Pick<EndpointTerms, 'headerNames' | 'headers'> {
  if (!changes) return { headerNames, headers }
  const after = new Map<string, string>(Object.entries(openHeaders(ctx, id, headers)))
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), value)
  }
  if (after.size > MOST_HEADERS) {
    const detail = `an endpoint has at most ${MOST_HEADERS} headers; null takes one away`
    throw invalidRequest([{ pointer: '/headers', detail }])
  }
  return sealHeaders(ctx, id, Object.fromEntries(after))
}
