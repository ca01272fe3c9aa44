import { setTimeout } from 'node:timers/promises'
import type { Log } from '../platform/telemetry/log.ts'
import { withProgress } from './progress.ts'
import type { ServerProcess } from './server-process.ts'

/** Starts a server and keeps it running. */
export type Keep = (name: string, start: () => Promise<ServerProcess>) => Promise<ServerProcess>

/** Starts a server once. */
export const startOnce: Keep = (_, start) => start()

/** Seconds before each further start; then it is given up. */
const PAUSES_S = [0, 1, 2, 4, 8, 15]
/** A server that ran this long is not about to fail again. */
const STEADY_MS = 10_000
/** Until then calls and steps that met the outage end with errors. */
const AFTERMATH_MS = 10_000

/**
 * Starts servers again that end by themselves, and says so in one line each. `ended` resolves only
 * when a server could not be started again. During an outage `isRecovering`, so that the terminal
 * is spared what follows from it.
 */
export function createKeeper(log: () => Log | undefined, pausesS = PAUSES_S) {
  const down = new Set<string>()
  let recoveringUntil = 0

  const say = (line: string) => {
    console.error(line)
    log()?.warn(line)
  }

  const keep: Keep = async (name, start) => {
    const stopping = new AbortController()
    const { signal } = stopping
    let server = await start().catch(start)

    /** Starts it until that works; a sentence when it does not. */
    const restart = async (how: string, pauses: number[]): Promise<string | undefined> => {
      let reason = how
      while (!signal.aborted) {
        const pause = pauses.shift()
        if (pause === undefined) return `${name} could not be started again: ${reason}`
        await setTimeout(pause * 1000, undefined, { signal }).catch(() => {})
        if (signal.aborted) return how
        try {
          server = await withProgress(`Starting ${name} again`, start())
          return undefined
        } catch (error) {
          reason = (error as Error).message
        }
      }
      return how
    }

    const keepRunning = async (): Promise<string> => {
      let pauses = [...pausesS]
      for (;;) {
        const begin = performance.now()
        const how = await server.ended
        if (signal.aborted) return how
        if (performance.now() - begin > STEADY_MS) pauses = [...pausesS]
        down.add(name)
        say(`${how} and is started again.`)
        const failure = await restart(how, pauses)
        down.delete(name)
        recoveringUntil = performance.now() + AFTERMATH_MS
        if (failure) return failure
        if (signal.aborted) await server.stop()
      }
    }

    const ended = keepRunning()
    return {
      ended,
      get pid() {
        return server.pid
      },
      log: () => server.log(),
      async stop() {
        stopping.abort()
        await server.stop()
        await ended
      },
    }
  }
  return { keep, isRecovering: () => down.size > 0 || performance.now() < recoveringUntil }
}
