import { setTimeout } from 'node:timers/promises'

/** A client of the doors at `url`, with the API key of one account. */
export type Agent = { url: string; key: string }

/** A final response. `repeats` counts the retries it took. */
export type FinalAnswer = { status: number; body: Record<string, unknown>; repeats: number }

type Method = 'POST' | 'PATCH'

const TIMEOUT_MS = 180_000

/**
 * Sends a request as an agent should: retries with the same idempotency key if there is no
 * response, a 503 or a pending booking. Throws on timeout.
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
  const deadline = performance.now() + TIMEOUT_MS
  for (let repeats = 0; performance.now() < deadline; repeats += 1) {
    const answer = await send(agent, path, init).catch(() => undefined)
    const isFinal = answer && answer.status !== 503 && answer.status !== 202
    if (isFinal) return { ...answer, repeats }
    await setTimeout(200)
  }
  throw new Error(`no final answer within ${TIMEOUT_MS / 1000} s`)
}

async function send({ url }: Agent, path: string, init: RequestInit) {
  const signal = AbortSignal.timeout(30_000)
  const response = await fetch(`${url}${path}`, { ...init, signal })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}
