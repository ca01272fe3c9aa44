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
  /** on top of what it inherits */
  env?: NodeJS.ProcessEnv
  user?: ProcessUser | undefined
  /** where its errors go; into the log where nothing else is said */
  stderr?: 'inherit'
  /** asks it to stop in order */
  stopSignal: NodeJS.Signals
  /** ends it at once; what it has promised must survive this */
  killSignal: NodeJS.Signals
  /** how long an orderly stop may take before `killSignal`; 4 s where nothing else is said */
  stopWithinMs?: number
  /** Whether it answers; asked again until it does. */
  isReady(pid: number | undefined): Promise<boolean>
}

/**
 * A server process of ours. It outlives this process only when this one is killed with `kill -9`.
 */
export type ServerProcess = {
  /** Resolves when it ends, however it ends, to a sentence that says how. */
  ended: Promise<string>
  pid: number | undefined
  /** Where its log is and how it ends, for the message about a failure. */
  log(): string
  /** Stops it in order, by force when that takes too long. */
  stop(): Promise<void>
}

const STOP_WITHIN_MS = 4_000
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
  while (!(await what.isReady(server.pid))) {
    if (performance.now() > deadline) failure = `${what.name} is not ready after a minute`
    if (failure) {
      await server.stop()
      throw new Error(`${failure}. ${server.log()}`)
    }
    await setTimeout(50)
  }
  return server
}

/** The rest could configure a server. A clock that libfaketime has moved is everyone's. */
export function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC } = process.env
  const clock = LD_PRELOAD ? { LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC } : {}
  return { PATH, HOME, ...clock }
}

function spawnServer(what: ServerCommand): ServerProcess {
  const { stopWithinMs = STOP_WITHIN_MS } = what
  const log = openLogFile(what.logFile)
  const child = spawn(what.command, what.args, {
    cwd: '/',
    detached: true,
    env: { ...inherited(), ...what.env },
    stdio: ['ignore', log, what.stderr ?? log],
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
    pid: child.pid,
    log: () => `Its log, ${what.logFile}, ends:\n${logTail(what.logFile)}`,
    async stop() {
      child.kill(what.stopSignal)
      await Promise.race([ended, setTimeout(stopWithinMs, undefined, { ref: false })])
      kill()
      await ended
    },
  }
}
