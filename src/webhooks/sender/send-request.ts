import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import { signedHeaders } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import { type Log, loggable } from '../../platform/telemetry/log.ts'
import { retryAfterMs } from '../rules/retry-schedule.ts'
import { WEBHOOK_USER_AGENT } from '../rules/sent-headers.ts'
import type { AttemptCause } from '../rules/statuses.ts'
import type { WebhookAttempt } from '../steps/webhook-metrics.ts'
import type { RequestResult } from '../store/attempts.ts'

/** What sending webhooks depends on. */
export type SenderDeps = {
  db: Pool
  outbound: Outbound
  sealer: Sealer
  log: Log
  count: (attempt: WebhookAttempt) => void
  /** held deliveries expire after this many days */
  heldDays: number
}

/** From the DNS lookup to the end of the body; waiting for a socket may take as long again. */
const DEADLINE_MS = 15_000
const STORED_BODY_BYTES = 16 * 1024

/** A request to sign. `id` is the same for every attempt (Standard Webhooks: webhook-id). */
export type WebhookRequest = {
  id: string
  /** unix seconds of this attempt */
  timestamp: number
  url: string
  body: string
  /** newest first */
  secrets: readonly string[]
  /** custom headers of the endpoint */
  headers: Readonly<Record<string, string>>
  cause: AttemptCause
  /** as in `WebhookAttempt` */
  lagMs?: number | undefined
  /** the account whose share of sockets it uses */
  who: string
}

/** Signs and sends. Failures are returned as outcomes, never thrown. */
export async function sendRequest(
  { outbound, log, count }: Omit<SenderDeps, 'db' | 'sealer' | 'heldDays'>,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<RequestResult> {
  const started = performance.now()
  const exchange = await send(outbound, request, signal).catch((error: unknown): RequestResult => {
    if (error instanceof OutboundError) {
      const ms = Math.round(performance.now() - started)
      return { outcome: { failure: error.kind, sent: error.sent }, response: null, ms }
    }
    log.error({ event_id: request.id, error: loggable(error) }, 'a webhook could not be sent')
    return { outcome: { failure: 'internal', sent: false }, response: null, ms: 0 }
  })
  const { outcome, ms } = exchange
  const result = 'failure' in outcome ? outcome.failure : `status ${outcome.status}`
  count({ cause: request.cause, result, ms, lagMs: request.lagMs })
  return exchange
}

async function send(
  outbound: Outbound,
  { id, timestamp, url, body, secrets, headers, who }: WebhookRequest,
  signal: AbortSignal,
): Promise<RequestResult> {
  const answer = await outbound.send({
    url,
    method: 'POST',
    headers: {
      ...headers,
      'user-agent': WEBHOOK_USER_AGENT,
      ...signedHeaders(secrets, { id, timestamp, body }),
    },
    body,
    deadlineMs: DEADLINE_MS,
    who,
    maxBodyBytes: STORED_BODY_BYTES,
    signal,
  })
  const { status, headers: received, truncated, ms } = answer
  const response = { headers: received, body: answer.body.toString('utf8'), truncated }
  const delay = retryAfterMs(received['retry-after'], new Date())
  return { outcome: { status, retryAfterMs: delay }, response, ms }
}
