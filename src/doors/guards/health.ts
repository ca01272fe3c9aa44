import { setTimeout } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Log, loggable } from '../../platform/telemetry/log.ts'

const CHECK_MS = 2_000
/** Less than a probe's timeout, which in Kubernetes is one second by default. */
const OPTIONAL_CHECK_MS = 750
/** Anyone may send these requests, so a result is shared for this long. */
const SHARED_MS = 500

type Part = {
  /** resolves if the part works; otherwise throws or hangs */
  check: () => Promise<unknown>
  /** what stops working without this part; absent if everything does */
  without?: string
}

/**
 * `/healthz`: the process responds. `/readyz`: the state of each part, at most half a second old;
 * 503 unless the essential parts respond within 2 s, `degraded` if another part is down. It is also
 * 503 once `stopping` is aborted, so that no new work arrives. The log says why a part is down.
 */
export function health(
  app: FastifyInstance,
  parts: Record<string, Part>,
  stopping: AbortSignal,
  log: Log,
): void {
  const down = new Set<string>()
  const readPart = async ([name, part]: [string, Part]) => {
    const { fault, ms } = await measure(part)
    if (fault && !down.has(name)) {
      log.warn({ part: name, error: loggable(fault) }, 'a part does not answer')
    }
    if (!fault && down.has(name)) log.info({ part: name }, 'a part answers again')
    if (fault) down.add(name)
    else down.delete(name)
    return [name, { state: fault ? 'down' : 'up', ms }] as const
  }
  const read = () => Promise.all(Object.entries(parts).map(readPart))
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
    const missing = states.filter(([, { state }]) => state === 'down').map(([name]) => name)
    const causes = missing.flatMap((name) => parts[name]?.without ?? [])
    const isReady = causes.length === missing.length
    const status = missing.length === 0 ? 'ready' : isReady ? 'degraded' : 'not ready'
    const cause = status === 'degraded' && { cause: causes.join(' ') }
    const body = { status, ...cause, parts: Object.fromEntries(states) }
    return reply.code(isReady ? 200 : 503).send(body)
  })
}

async function measure({ check, without }: Part): Promise<{ fault?: Error; ms: number }> {
  const started = performance.now()
  const deadline = new AbortController()
  const patience = without ? OPTIONAL_CHECK_MS : CHECK_MS
  const silence = new Error(`no answer in ${patience / 1000} s`)
  const late = setTimeout(patience, silence, { signal: deadline.signal })
  const answered = check().then(() => undefined)
  const fault = await Promise.race([answered, late]).catch((error: Error) => error)
  deadline.abort()
  return { ...(fault && { fault }), ms: Math.round(performance.now() - started) }
}
