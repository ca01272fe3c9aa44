import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound, OutboundAnswer } from '../../platform/http/client.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import { sign } from '../../platform/http/signature.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { loggable } from '../../platform/telemetry/loggable.ts'
import { retryAfterMs } from '../rules/retry-schedule.ts'
import type { Outcome } from '../rules/verdict.ts'
import type { AttemptCause } from '../rules/webhooks.ts'
import type { StoredResponse } from '../store/attempts.ts'
import type { WebhookAttempt } from '../webhook-metrics.ts'

/** What the requests to subscribers need. */
export type SenderDeps = {
  db: Pool
  outbound: Outbound
  sealer: Sealer
  log: Log
  count: (attempt: WebhookAttempt) => void
  /** what an endpoint has held for so many days expires */
  heldDays: number
}

/** Over look-up, connect, TLS, headers and body; waiting for a socket may take as long again. */
const DEADLINE_MS = 15_000
const KEPT_BODY_BYTES = 16 * 1024

/** A request as it goes out, but for what is signed at that moment. `id` is the same for every attempt (Standard Webhooks: webhook-id). */
export type WebhookRequest = {
  id: string
  url: string
  body: string
  /** opened secrets, the newest first */
  secrets: readonly string[]
  /** the endpoint's own */
  headers: Readonly<Record<string, string>>
  cause: AttemptCause
}

/** What came back; `answer` is what is kept of it. */
export type Sent = { outcome: Outcome; answer: StoredResponse | null; ms: number }

/** Signs with the wall clock and sends; whatever happens is an outcome. */
export async function sendRequest(
  { outbound, log, count }: SenderDeps,
  request: WebhookRequest,
  signal: AbortSignal,
): Promise<Sent> {
  const started = performance.now()
  const sent = await send(outbound, request, signal).catch((error: unknown): Sent => {
    if (error instanceof OutboundError) {
      return {
        outcome: { failure: error.kind, sent: error.sent },
        answer: null,
        ms: Math.round(performance.now() - started),
      }
    }
    log.error({ event_id: request.id, error: loggable(error) }, 'a webhook could not be sent')
    return { outcome: { failure: 'internal', sent: false }, answer: null, ms: 0 }
  })
  const { outcome, ms } = sent
  const result = 'failure' in outcome ? outcome.failure : `status ${outcome.status}`
  count({ cause: request.cause, result, ms })
  return sent
}

async function send(
  outbound: Outbound,
  { id, url, body, secrets, headers }: WebhookRequest,
  signal: AbortSignal,
): Promise<Sent> {
  const timestamp = Math.floor(Date.now() / 1000)
  const answer = await outbound.send({
    url,
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'user-agent': 'venue-network-webhooks/1',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': sign(secrets, { id, timestamp, body }),
    },
    body,
    deadlineMs: DEADLINE_MS,
    maxBodyBytes: KEPT_BODY_BYTES,
    signal,
  })
  const delay = retryAfterMs(answer.headers['retry-after'], new Date())
  return {
    outcome: { status: answer.status, retryAfterMs: delay },
    answer: kept(answer),
    ms: answer.ms,
  }
}

const kept = ({ status, headers, body, truncated }: OutboundAnswer): StoredResponse => ({
  httpStatus: status,
  headers,
  body: body.toString('utf8'),
  truncated,
})
