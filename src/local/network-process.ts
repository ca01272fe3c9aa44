import { join, resolve } from 'node:path'
import { stopOrphans } from './orphans.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const src = resolve(import.meta.dirname, '..')
/** Over the 28 s that a worker or the doors take when something still runs in them. */
const STOP_WITHIN_MS = 35_000

export type NetworkProcess = {
  program: 'api' | 'worker'
  /** tells processes of one program apart, in messages and log files: `api`, `worker-1` */
  name: string
  /** on top of ours */
  env: Record<string, string>
  isReady(pid: number | undefined): Promise<boolean>
}

/** A part of the network as a process of its own, as in production; it logs to `NAME.log` in `dataDir`, which the caller holds. */
export function startNetworkProcess(
  dataDir: string,
  { program, name, env, isReady }: NetworkProcess,
): Promise<ServerProcess> {
  return startServer({
    name,
    command: process.execPath,
    args: [...markOf(program, dataDir), name],
    env: { ...process.env, ...env },
    logFile: join(dataDir, `${name}.log`),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    stopWithinMs: STOP_WITHIN_MS,
    isReady,
  })
}

/** Ends the processes that an earlier run on this data folder left behind. */
export async function stopNetworkOrphans(dataDir: string): Promise<void> {
  for (const program of ['api', 'worker'] as const) {
    await stopOrphans(markOf(program, dataDir), { signal: 'SIGTERM' })
  }
}

/** The programs take no arguments; these say whose process it is. */
const markOf = (program: string, dataDir: string) => [join(src, `${program}.ts`), dataDir]
