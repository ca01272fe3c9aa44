import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const CHECK_MS = 2_000

/** Answers when its part works; throws or hangs when not. */
export type Check = () => Promise<unknown>

/**
 * `/healthz`: the process answers. `/readyz`: every part it needs answers within 2 s, else 503; each part is named. Once
 * `stopping` is aborted it is 503 at once, so that no new work is sent here.
 */
export function health(
  app: FastifyInstance,
  checks: Record<string, Check>,
  stopping: AbortSignal,
): void {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (stopping.aborted) {
      reply.code(503)
      return { status: 'stopping', parts: {} }
    }
    const names = Object.keys(checks)
    const states = await Promise.all(Object.values(checks).map(stateOf))
    const parts = Object.fromEntries(names.map((name, index) => [name, states[index]]))
    const ready = states.every(({ state }) => state === 'up')
    reply.code(ready ? 200 : 503)
    return { status: ready ? 'ready' : 'not ready', parts }
  })
}

async function stateOf(check: Check): Promise<{ state: 'up' | 'down'; ms: number }> {
  const started = performance.now()
  const state = await within(CHECK_MS, check)
  return { state, ms: Math.round(performance.now() - started) }
}

async function within(ms: number, check: Check): Promise<'up' | 'down'> {
  const deadline = new AbortController()
  const answer = check().then(
    () => 'up' as const,
    () => 'down' as const,
  )
  const late = setTimeout(ms, 'down' as const, { signal: deadline.signal }).catch(
    () => 'down' as const,
  )
  const state = await Promise.race([answer, late])
  deadline.abort()
  return state
}
