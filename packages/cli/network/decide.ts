import { Refused, Unreachable } from './failures.ts'
import type { Answer, Ask, Network } from './network.ts'
import { type Say, sendSafely } from './send-safely.ts'

const ACCEPTED = 202
/** Seconds per request; proxies cut off longer requests. */
const MAX_WAIT_S = 45

/**
 * Waits up to `seconds` for a final answer, resending with the same idempotency key while it is
 * pending. Returns a 202 if it stays pending or its status becomes unreadable.
 */
export async function decide<T>(
  network: Network,
  ask: Ask & { idempotencyKey: string },
  { seconds, say }: { seconds: number; say: Say },
): Promise<Answer<T>> {
  const until = performance.now() + seconds * 1000
  let pending: Answer<T> | undefined
  for (;;) {
    const remaining = Math.max(0, Math.round((until - performance.now()) / 1000))
    const wait = Math.min(remaining, MAX_WAIT_S)
    try {
      const answer = await sendSafely<T>(network, { ...ask, wait }, say)
      if (answer.status !== ACCEPTED || performance.now() >= until || wait === remaining)
        return answer
      pending = answer
    } catch (error) {
      if (!pending || !isAboutAsking(error)) throw error
      say(`${error.message}\nThe request was accepted and is still being processed.`)
      return pending
    }
  }
}

/** These only mean that the status cannot be read now, and say nothing about the request. */
const isAboutAsking = (error: unknown): error is Error =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.isFailure || [401, 403, 429].includes(error.problem.status)))
