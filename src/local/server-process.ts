import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { logTail, openLogFile } from './log-files.ts'

/** Who a server runs as; needed only where root starts one that refuses to run as root. */
export type ProcessUser = { uid: number; gid: number }

export type ServerCommand = {
  /** how a person knows it, as in `PostgreSQL` */
  name: string
  command: string
  args: string[]
  logFile: string
  user?: ProcessUser | undefined
  /** asks it to stop in order */
  stopSignal: NodeJS.Signals
  /** ends it at once; what it has promised must survive this */
  killSignal: NodeJS.Signals
  /** Whether it answers; asked again until it does. */
  isReady(): Promise<boolean>
}

/**
 * A server process of ours. It outlives this process only when this one is killed with `kill -9`.
 */
export type ServerProcess = {
  /** Resolves when it ends, however it ends, to a sentence that says how. */
  ended: Promise<string>
  /** Stops it in order, after 4 s by force. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 4_000
const READY_TIMEOUT_MS = 60_000

/**
 * Starts a server and waits until it is ready. It gets a process group of its own, so that Ctrl-C
 * in a terminal reaches only us. When it ends first, or takes over a minute, the error says so with
 * the end of its log.
 */
export async function startServer(what: ServerCommand): Promise<ServerProcess> {
  const server = spawnServer(what)
  const deadline = performance.now() + READY_TIMEOUT_MS
  let failure: string | undefined
  void server.ended.then((how) => {
    failure = how
  })
  while (!(await what.isReady())) {
    if (performance.now() > deadline) failure = `${what.name} is not ready after a minute`
    if (failure) {
      await server.stop()
      throw new Error(`${failure}. Its log, ${what.logFile}, ends:\n${logTail(what.logFile)}`)
    }
    await setTimeout(50)
  }
  return server
}

function spawnServer(what: ServerCommand): ServerProcess {
  const log = openLogFile(what.logFile)
  const child = spawn(what.command, what.args, {
    cwd: '/',
    detached: true,
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
    stdio: ['ignore', log, log],
    ...what.user,
  })
  closeSync(log)
  const kill = () => void child.kill(what.killSignal)
  process.once('exit', kill)
  const ended = once(child, 'exit').then(
    ([code, signal]) => `${what.name} ended (${signal ?? `exit code ${code}`})`,
    (error: Error) => `${what.name} could not be started (${error.message})`,
  )
  void ended.then(() => process.off('exit', kill))
  return {
    ended,
    async stop() {
      child.kill(what.stopSignal)
      await Promise.race([ended, setTimeout(STOP_TIMEOUT_MS, undefined, { ref: false })])
      kill()
      await ended
    },
  }
}
