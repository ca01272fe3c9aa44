import { randomUUID } from 'node:crypto'
import type { Outbound } from '../../platform/http/client.ts'
import { OutboundError } from '../../platform/http/failure.ts'
import { signedHeaders, verify } from '../../platform/http/signature.ts'

/** The address of a venue's own system, and the secret with which both sides sign. */
type VenueAddress = { url: string; secret: string }

/** A venue's answer with a verified signature, or a brief reason why there is none. */
export type VenueAnswer =
  | { messageId: string; receivedAt: Date; statement: unknown }
  | { failure: string }

/** A venue must answer or say `pending` within this time (docs/protocols/venue-connector.md). */
const DEADLINE_MS = 10_000

/**
 * Sends a signed request to a venue (docs/protocols/venue-connector.md). Only a 200 with a
 * signature over this request's id counts as an answer. The caller validates its shape.
 */
export async function requestVenue(
  outbound: Outbound,
  { url, secret }: VenueAddress,
  message: Record<string, unknown>,
  { maxBodyBytes, signal }: { maxBodyBytes: number; signal?: AbortSignal | undefined },
): Promise<VenueAnswer> {
  const messageId = `msg_${randomUUID()}`
  const body = JSON.stringify(message)
  const timestamp = Math.floor(Date.now() / 1000)
  try {
    const answer = await outbound.send({
      url,
      method: 'POST',
      headers: {
        'user-agent': 'venue-network-connector/1',
        ...signedHeaders([secret], { id: messageId, timestamp, body }),
      },
      body,
      deadlineMs: DEADLINE_MS,
      maxBodyBytes,
      signal,
    })
    return readAnswer(answer, secret, messageId)
  } catch (error) {
    if (error instanceof OutboundError) return { failure: error.kind }
    throw error
  }
}

function readAnswer(
  { status, headers, body, truncated }: Awaited<ReturnType<Outbound['send']>>,
  secret: string,
  messageId: string,
): VenueAnswer {
  if (status !== 200) return { failure: `status ${status}` }
  if (truncated) return { failure: 'answer too large' }
  const receivedAt = new Date()
  const signature = {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
  }
  if (signature.id !== messageId) return { failure: 'answer to another request' }
  const verification = verify([secret], signature, body, receivedAt)
  if (!verification.ok) return { failure: `bad signature (${verification.reason})` }
  try {
    return { messageId, receivedAt, statement: JSON.parse(body.toString('utf8')) }
  } catch {
    return { failure: 'answer is not JSON' }
  }
}
