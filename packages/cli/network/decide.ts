import { Refused, Unreachable } from './failures.ts'
import type { Answer, Ask, Network } from './network.ts'
import { type Say, sendSafely } from './send-safely.ts'

const ACCEPTED = 202
/** Seconds per request; proxies cut longer ones. */
const MOST_PER_REQUEST = 45

/**
 * Waits for the final answer of a request that a person may decide: while it is pending, it is sent
 * again with the same idempotency key, for up to `seconds`. Answers 202 if it is still pending, or
 * if asking becomes impossible.
 */
export async function decide<T>(
  network: Network,
  ask: Ask & { idempotencyKey: string },
  { seconds, say }: { seconds: number; say: Say },
): Promise<Answer<T>> {
  const until = performance.now() + seconds * 1000
  let pending: Answer<T> | undefined
  for (;;) {
    const left = Math.max(0, Math.round((until - performance.now()) / 1000))
    const wait = Math.min(left, MOST_PER_REQUEST)
    try {
      const answer = await sendSafely<T>(network, { ...ask, wait }, say)
      if (answer.status !== ACCEPTED || performance.now() >= until || wait === left) return answer
      pending = answer
    } catch (error) {
      if (!pending || !isAboutAsking(error)) throw error
      say(`${error.message}\nIt was accepted before, and goes on without you.`)
      return pending
    }
  }
}

/** These say nothing about the request, only that its status cannot be read now. */
const isAboutAsking = (error: unknown): error is Error =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.isFailure || [401, 403, 429].includes(error.problem.status)))
