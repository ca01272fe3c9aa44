import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'

const CHECK_MS = 2_000
/** So long one result serves everyone who asks, as anyone may. */
const SHARED_MS = 500

/** Resolves if its part works; throws or hangs if not. */
type Check = () => Promise<unknown>

/**
 * `/healthz`: the process answers. `/readyz`: each part it needs, at most half a second old, and
 * 503 unless all answer within 2 s. Once `stopping` is aborted it is 503 at once, so that no new
 * work is sent here.
 */
export function health(
  app: FastifyInstance,
  checks: Record<string, Check>,
  stopping: AbortSignal,
): void {
  const read = async () =>
    Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await stateOf(check)] as const),
    )
  let shared: ReturnType<typeof read> | undefined
  const readShared = () => {
    shared ??= read().finally(() => {
      void setTimeout(SHARED_MS, undefined, { ref: false }).then(() => {
        shared = undefined
      })
    })
    return shared
  }

  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    if (stopping.aborted) return reply.code(503).send({ status: 'stopping', parts: {} })
    const states = await readShared()
    const isReady = states.every(([, { state }]) => state === 'up')
    const status = isReady ? 'ready' : 'not ready'
    return reply.code(isReady ? 200 : 503).send({ status, parts: Object.fromEntries(states) })
  })
}

async function stateOf(check: Check) {
  const started = performance.now()
  const deadline = new AbortController()
  const late = setTimeout(CHECK_MS, false, { signal: deadline.signal })
  const isUp = await Promise.race([check().then(() => true), late]).catch(() => false)
  deadline.abort()
  return { state: isUp ? 'up' : 'down', ms: Math.round(performance.now() - started) }
}
