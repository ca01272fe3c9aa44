import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Log, loggable } from '../../platform/telemetry/log.ts'

const CHECK_MS = 2_000
const silence = new Error(`no answer in ${CHECK_MS / 1000} s`)
/** So long one result serves everyone who asks, as anyone may. */
const SHARED_MS = 500

/** Resolves if its part works; throws or hangs if not. */
type Check = () => Promise<unknown>

/**
 * `/healthz`: the process answers. `/readyz`: each part it needs, at most half a second old, and
 * 503 unless all answer within 2 s. Once `stopping` is aborted it is 503 at once, so that no new
 * work is sent here. The log says why a part is down.
 */
export function health(
  app: FastifyInstance,
  checks: Record<string, Check>,
  stopping: AbortSignal,
  log: Log,
): void {
  const down = new Set<string>()
  const readPart = async ([name, check]: [string, Check]) => {
    const { fault, ms } = await measure(check)
    if (fault && !down.has(name)) {
      log.warn({ part: name, error: loggable(fault) }, 'a part does not answer')
    }
    if (!fault && down.has(name)) log.info({ part: name }, 'a part answers again')
    if (fault) down.add(name)
    else down.delete(name)
    return [name, { state: fault ? 'down' : 'up', ms }] as const
  }
  const read = () => Promise.all(Object.entries(checks).map(readPart))
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

async function measure(check: Check): Promise<{ fault: Error | undefined; ms: number }> {
  const started = performance.now()
  const deadline = new AbortController()
  const late = setTimeout(CHECK_MS, silence, { signal: deadline.signal })
  const answered = check().then(() => undefined)
  const fault = await Promise.race([answered, late]).catch((error: Error) => error)
  deadline.abort()
  return { fault, ms: Math.round(performance.now() - started) }
}
