import { signedHeaders } from '../../../src/platform/http/signature.ts'
import { WEBHOOK_USER_AGENT } from '../../../src/webhooks/rules/sent-headers.ts'
import type { FollowedEvent } from '../answers.ts'

const TIMEOUT_MS = 15_000

/** Posts an event once, signed like a real delivery, and returns the outcome in a few words. */
export async function forwardEvent(
  to: string,
  secret: string,
  { number: _, ...event }: FollowedEvent,
  sequence: number,
): Promise<string> {
  const { id, type, timestamp, data } = event
  const body = JSON.stringify({ id, type, timestamp, sequence, data })
  const seconds = Math.floor(Date.now() / 1000)
  const startedAt = performance.now()
  try {
    const response = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        'user-agent': WEBHOOK_USER_AGENT,
        ...signedHeaders([secret], { id, timestamp: seconds, body }),
      },
      body,
    })
    await response.body?.cancel()
    const took = `${response.status} in ${Math.round(performance.now() - startedAt)} ms`
    return response.ok ? took : `${took}: a real delivery would be retried`
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return isLate ? 'no answer within 15 s' : 'no connection'
  }
}
