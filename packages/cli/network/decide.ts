import { Refused, Unreachable } from './failures.ts'
import type { Answer, Ask, Network } from './network.ts'
import { type Say, sendSafely } from './send-safely.ts'

const ACCEPTED = 202
/** Seconds that one request waits; proxies end longer ones. */
const MOST_PER_REQUEST = 45

/**
 * The final answer to a request that somebody may have to decide about: as long as it is pending it is asked for again with the same
 * idempotency key, for `seconds` at most. Answers 202 when it is pending then still, or when it cannot be asked for any longer, which is said.
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

/** Says nothing of what was asked for, only that it cannot be asked about: no key, plan, quota or network for that any more. */
const isAboutAsking = (error: unknown): error is Error =>
  error instanceof Unreachable ||
  (error instanceof Refused && (error.isFailure || [401, 403, 429].includes(error.problem.status)))
