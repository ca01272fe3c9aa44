import { refuse } from '../../base/errors.ts'
import { accountOf } from '../../contract/operation.ts'
import { onClock } from '../../platform/database/account-time.ts'
import type { Db } from '../../platform/database/sql.ts'
import type { WebhookContext } from '../engine.ts'
import {
  DELIVER_SIGNAL,
  type EndpointSignal,
  type EndpointStart,
} from '../rules/endpoint-messages.ts'
import type { Endpoint } from '../schema/endpoints.ts'
import { selectEndpointViews } from '../store/endpoint-view.ts'
import { lockOptionalEndpoint } from '../store/endpoints.ts'

/** An endpoint of the caller's account, as shown; throws `endpoint_not_found`. */
export async function ownEndpoint(ctx: WebhookContext, id: string): Promise<Endpoint> {
  const [endpoint] = await selectEndpointViews(ctx.db, accountOf(ctx).id, ctx.at, id)
  if (!endpoint) throw refuse('endpoint_not_found')
  return endpoint
}

/** Locks an endpoint of the caller's account; throws `endpoint_not_found`. */
export async function lockOwnEndpoint(tx: Db, ctx: WebhookContext, id: string) {
  const endpoint = await lockOptionalEndpoint(tx, accountOf(ctx).id, id)
  if (!endpoint) throw refuse('endpoint_not_found')
  return endpoint
}

/** The argument that starts the workflow of a caller's endpoint. */
export const startOf = (ctx: WebhookContext, endpointId: string): EndpointStart => ({
  endpointId,
  accountId: accountOf(ctx).id,
  ...onClock(ctx.account?.clock_ahead_ms),
})

/** Signals the endpoint's workflow. Best effort: the sweep makes up for lost signals. */
export const signalEndpoint = (
  ctx: WebhookContext,
  endpointId: string,
  signal: EndpointSignal = { name: DELIVER_SIGNAL },
): Promise<void> => ctx.engine.signalEndpoint(startOf(ctx, endpointId), signal).catch(() => {})

/** Throws `url_not_allowed` for a URL that the network cannot deliver to. */
export function checkUrl({ egress }: WebhookContext, url: string): void {
  const fault = egress.urlFault(url)
  if (fault !== undefined) throw refuse('url_not_allowed', fault)
}
