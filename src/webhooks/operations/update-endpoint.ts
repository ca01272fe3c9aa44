import { z } from 'zod'
import { invalidRequest } from '../../base/errors.ts'
import { differences, recordAudit } from '../../contract/audit.ts'
import { transaction } from '../../platform/database/sql.ts'
import type { WebhookContext } from '../engine.ts'
import { MAX_HEADERS } from '../rules/limits.ts'
import { endpoint } from '../schema/endpoints.ts'
import { requireProof } from '../store/endpoint-states.ts'
import { type StoredEndpoint, updateEndpointTerms } from '../store/endpoints.ts'
import { newChallenge } from './create-endpoint.ts'
import * as fields from './endpoint-fields.ts'
import { checkUrl, lockOwnEndpoint, ownEndpoint, signalEndpoint } from './own-endpoint.ts'
import { openHeaders, sealHeaders } from './seal-headers.ts'
import { webhookOperation } from './webhook-operation.ts'

const input = z.strictObject({
  id: fields.endpointId,
  url: fields.url.optional(),
  description: fields.description.optional(),
  event_types: fields.eventTypes.optional(),
  headers: fields.headerChanges.optional(),
  rate_per_second: fields.ratePerSecond.optional(),
  fifo: fields.fifo.optional(),
})
type Input = z.output<typeof input>

export const updateEndpoint = webhookOperation({
  name: 'update endpoint',
  audit: 'endpoint.updated',
  summary: 'Update an endpoint',
  description:
    'Changes the given fields. A new URL must be verified, as for a new endpoint; until ' +
    'then events are held. Headers are dropped when the URL moves to another origin, unless ' +
    'they are given again. New `event_types` do not affect deliveries that are already ' +
    'enqueued.',
  input,
  output: z.object({ endpoint, next: fields.next.optional() }),
  errors: ['endpoint_not_found', 'url_not_allowed'],
  async run(ctx, { id, ...input }) {
    if (input.url !== undefined) checkUrl(ctx, input.url)
    const move = await transaction(ctx.db, async (tx) => {
      const before = await lockOwnEndpoint(tx, ctx, id)
      const terms = newTerms(ctx, isAtOrigin(before, input.url) ? before : bare(before), input)
      await updateEndpointTerms(tx, id, terms, ctx.at)
      const { headers, ...visible } = terms
      const details = {
        ...differences(before, visible),
        // Records names only: values are secret, and sealing one twice gives different texts.
        ...(input.headers && { headers_given: Object.keys(input.headers) }),
      }
      if (Object.keys(details).length > 0) {
        await recordAudit(tx, ctx, 'endpoint.updated', { id, name: terms.url, details })
      }
      if (terms.url === before.url) return undefined
      await requireProof(tx, id, newChallenge())
      return { lost: before.header_names.some((name) => !terms.header_names.includes(name)) }
    })
    await signalEndpoint(ctx, id)
    const endpoint = await ownEndpoint(ctx, id)
    return move ? { endpoint, next: afterMove(id, move.lost) } : { endpoint }
  },
})

const afterMove = (id: string, hasLostHeaders: boolean): string =>
  `Verify the new URL: POST /api/webhooks/${id}/verify. Events are held until then.` +
  (hasLostHeaders ? ' The old origin’s headers are removed: send any that the new one needs.' : '')

const isAtOrigin = (before: StoredEndpoint, url = before.url): boolean =>
  new URL(url).origin === new URL(before.url).origin

/** Headers may hold credentials, which belong to one origin. */
const bare = (before: StoredEndpoint) => ({ ...before, header_names: [], headers: null })

const newTerms = (ctx: WebhookContext, before: StoredEndpoint, input: Omit<Input, 'id'>) => ({
  url: input.url ?? before.url,
  description: input.description ?? before.description,
  event_types: input.event_types ? [...new Set(input.event_types)] : before.event_types,
  rate_per_second:
    input.rate_per_second === undefined ? before.rate_per_second : input.rate_per_second,
  fifo: input.fifo ?? before.fifo,
  ...headersAfter(ctx, before, input.headers),
})

function headersAfter(
  ctx: WebhookContext,
  { id, header_names, headers }: StoredEndpoint,
  changes: Input['headers'],
) {
  if (!changes) return { header_names, headers }
  const after = new Map<string, string>(Object.entries(openHeaders(ctx, id, headers)))
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) after.delete(name.toLowerCase())
    else after.set(name.toLowerCase(), value)
  }
  if (after.size > MAX_HEADERS) {
    const detail = `an endpoint has at most ${MAX_HEADERS} headers; null removes one`
    throw invalidRequest([{ pointer: '/headers', detail }])
  }
  return sealHeaders(ctx, id, Object.fromEntries(after))
}
