import { setTimeout } from 'node:timers/promises'
import type { Log } from '../platform/telemetry/log.ts'
import { withProgress } from './progress.ts'
import type { ServerProcess } from './server-process.ts'

/** Starts a server and keeps it running. */
export type Keep = (name: string, start: () => Promise<ServerProcess>) => Promise<ServerProcess>

/** Starts a server once. */
export const startOnce: Keep = (_, start) => start()

/** The seconds before each attempt to restart; the last attempt is final. */
const PAUSES_S = [0, 1, 2, 4, 8, 15]
/** A server that has run for this long is taken to be stable again. */
const STEADY_MS = 10_000
/** For this long after an outage, the calls and steps that it affected still end with errors. */
const AFTERMATH_MS = 10_000

/**
 * Restarts servers that end by themselves, printing a line for each. `ended` resolves only if a
 * server could not be restarted. `isRecovering` is true during an outage, so that its effects are
 * not printed.
 */
export function createKeeper(log: () => Log | undefined, pausesS = PAUSES_S) {
  const down = new Set<string>()
  let recoveringUntil = 0

  const say = (line: string) => {
    console.error(line)
    log()?.warn(line)
  }

  async function keepRunning(kept: KeptServer, { signal }: AbortController): Promise<string> {
    const { name, start } = kept
    let pauses = [...pausesS]
    for (;;) {
      const begin = performance.now()
      const how = await kept.server.ended
      if (signal.aborted) return how
      if (performance.now() - begin > STEADY_MS) pauses = [...pausesS]
      down.add(name)
      say(`${how} and is started again.`)
      const again = await startAgain(name, start, { how, pauses, signal })
      down.delete(name)
      recoveringUntil = performance.now() + AFTERMATH_MS
      if (typeof again === 'string') return again
      kept.server = again
      if (signal.aborted) await again.stop()
    }
  }

  const keep: Keep = async (name, start) => {
    const stopping = new AbortController()
    const entry: KeptServer = { name, start, server: await start().catch(start) }
    const end = keepRunning(entry, stopping)
    return {
      ended: end,
      get pid() {
        return entry.server.pid
      },
      log: () => entry.server.log(),
      async stop() {
        stopping.abort()
        await entry.server.stop()
        await end
      },
    }
  }
  return { keep, isRecovering: () => down.size > 0 || performance.now() < recoveringUntil }
}

type KeptServer = { name: string; start: () => Promise<ServerProcess>; server: ServerProcess }

/** Tries to start a server until that succeeds; returns a sentence if it never does. */
async function startAgain(
  name: string,
  start: () => Promise<ServerProcess>,
  { how, pauses, signal }: { how: string; pauses: number[]; signal: AbortSignal },
): Promise<ServerProcess | string> {
  let reason = how
  while (!signal.aborted) {
    const pause = pauses.shift()
    if (pause === undefined) return `${name} could not be started again: ${reason}`
    await setTimeout(pause * 1000, undefined, { signal }).catch(() => {})
    if (signal.aborted) return how
    try {
      return await withProgress(`Starting ${name} again`, start())
    } catch (error) {
      reason = (error as Error).message
    }
  }
  return how
}
