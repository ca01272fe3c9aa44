import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { logTail, openLogFile } from './log-files.ts'

/** The user that a server runs as, if not the current one. */
export type ProcessUser = { uid: number; gid: number }

type ServerCommand = {
  /** for messages, such as `PostgreSQL` */
  name: string
  command: string
  args: string[]
  logFile: string
  /** added to the inherited environment */
  env?: NodeJS.ProcessEnv
  user?: ProcessUser | undefined
  /** where its error output goes, if not to the log */
  stderr?: 'inherit'
  /** requests an orderly stop; SIGTERM by default */
  stopSignal?: NodeJS.Signals
  /** ends it immediately without loss of data; SIGKILL by default */
  killSignal?: NodeJS.Signals
  /** how long an orderly stop may take; 4 s by default */
  stopWithinMs?: number
  /** Polled until it returns true. */
  isReady(pid: number | undefined): Promise<boolean>
}

/** A server process of ours. It outlives this process only after `kill -9`. */
export type ServerProcess = {
  /** Resolves when the server ends, to a sentence that says how. */
  ended: Promise<string>
  pid: number | undefined
  /** The path and the last lines of its log, for error messages. */
  log(): string
  /** Stops the server, by force after `stopWithinMs`. */
  stop(): Promise<void>
}

const STOP_WITHIN_MS = 4_000
const READY_TIMEOUT_MS = 60_000

/**
 * Starts a server and waits until it is ready. It gets its own process group, so that Ctrl-C in a
 * terminal cannot reach it. Throws with the end of its log if it ends first or takes over a minute.
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

/** Omits other variables, which could configure a server. The libfaketime clock applies to all. */
export function inherited(): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC } = process.env
  return { PATH, HOME, ...(LD_PRELOAD && { LD_PRELOAD, FAKETIME, DONT_FAKE_MONOTONIC }) }
}

function spawnServer(what: ServerCommand): ServerProcess {
  const { name, stopSignal = 'SIGTERM', killSignal = 'SIGKILL', logFile } = what
  const log = openLogFile(logFile)
  const child = spawn(what.command, what.args, {
    cwd: '/',
    detached: true,
    env: { ...inherited(), ...what.env },
    stdio: ['ignore', log, what.stderr ?? log],
    ...what.user,
  })
  closeSync(log)
  const kill = () => void child.kill(killSignal)
  process.once('exit', kill)
  const ended = once(child, 'exit').then(
    ([code, signal]) => `${name} ended (${signal ?? `exit code ${code}`})`,
    (error: Error) => `${name} could not be started (${error.message})`,
  )
  void ended.then(() => process.off('exit', kill))
  return {
    ended,
    pid: child.pid,
    log: () => `Its log, ${logFile}, ends:\n${logTail(logFile)}`,
    async stop() {
      child.kill(stopSignal)
      const patience = setTimeout(what.stopWithinMs ?? STOP_WITHIN_MS, undefined, { ref: false })
      await Promise.race([ended, patience])
      kill()
      await ended
    },
  }
}
