import type { z } from 'zod'
import { accountOf, type Context } from '../../contract/define.ts'
import { refuse } from '../../contract/rules/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import {
  type AttemptOutcome,
  DELIVER_SIGNAL,
  type EndpointSignal,
  type EndpointStart,
} from '../rules/webhooks.ts'
import type { Endpoint, sentAttempt } from '../schema/endpoints.ts'
import { selectEndpointViews } from '../store/endpoint-view.ts'
import { lockOptionalEndpoint, type StoredEndpoint } from '../store/endpoints.ts'

/** The endpoint of the caller's account as it sees it; throws `endpoint_not_found`. */
export async function ownEndpoint(ctx: Context, id: string): Promise<Endpoint> {
  const [found] = await selectEndpointViews(ctx.db, accountOf(ctx).id, { id, at: ctx.at })
  if (!found) throw refuse('endpoint_not_found')
  return found
}

/** The same as it is stored, and until the transaction ends nobody else changes it; throws `endpoint_not_found`. */
export async function lockOwnEndpoint(tx: Db, ctx: Context, id: string): Promise<StoredEndpoint> {
  const found = await lockOptionalEndpoint(tx, accountOf(ctx).id, id)
  if (!found) throw refuse('endpoint_not_found')
  return found
}

/** What the workflow of an endpoint of the caller is started with. */
export const startOf = (ctx: Context, endpointId: string): EndpointStart => ({
  endpointId,
  accountId: accountOf(ctx).id,
})

/** Has the endpoint's workflow look at what is written down. Best effort: the sweep does it otherwise. */
export const signalEndpoint = (
  ctx: Context,
  endpointId: string,
  signal: EndpointSignal = { name: DELIVER_SIGNAL },
): Promise<void> => ctx.engine.signalEndpoint(startOf(ctx, endpointId), signal).catch(() => {})

/** A request that was sent at its owner's wish, as it is answered. */
export const attemptOf = (sent: AttemptOutcome): z.infer<typeof sentAttempt> => ({
  id: sent.attemptId,
  status: sent.status,
  http_status: sent.httpStatus,
  failure: sent.failure,
  ms: sent.ms,
})

/** Throws `url_not_allowed` for a URL that no delivery could go to. */
export function judgeUrl({ egress }: Context, url: string): void {
  const fault = egress.urlFault(url)
  if (fault !== undefined) throw refuse('url_not_allowed', fault)
}
