import { setTimeout } from 'node:timers/promises'

/** Whoever calls the doors at `url` with the key of an account. */
export type Agent = { url: string; key: string }

/**
 * An answer of the doors that is final. `repeats` counts how often the same had to be sent again.
 */
export type FinalAnswer = { status: number; body: Record<string, unknown>; repeats: number }

type Method = 'POST' | 'PATCH'

const PATIENCE_MS = 180_000

/**
 * Sends a request as an agent should: again with the same key while nobody answers, the answer is
 * 503 or the booking is pending. A request that is never answered is an error.
 */
export async function retryUntilSuccess(
  agent: Agent,
  path: string,
  body: unknown,
  idempotencyKey: string,
  method: Method = 'POST',
): Promise<FinalAnswer> {
  const headers = {
    authorization: `Bearer ${agent.key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  }
  const init = { method, headers, body: JSON.stringify(body) }
  const deadline = performance.now() + PATIENCE_MS
  for (let repeats = 0; performance.now() < deadline; repeats += 1) {
    const answer = await send(agent, path, init).catch(() => undefined)
    const isFinal = answer && answer.status !== 503 && answer.status !== 202
    if (isFinal) return { ...answer, repeats }
    await setTimeout(200)
  }
  throw new Error(`no final answer within ${PATIENCE_MS / 1000} s`)
}

async function send({ url }: Agent, path: string, init: RequestInit) {
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(`${url}${path}`, { ...init, signal })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
