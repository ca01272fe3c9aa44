import { join, resolve } from 'node:path'
import { stopOrphans } from '../../src/local/orphans.ts'
import { type ServerProcess, startServer } from '../../src/local/server-process.ts'

const src = resolve(import.meta.dirname, '../../src')
/** More than the 28 s that a worker or the doors take to finish what is running. */
const STOP_WITHIN_MS = 35_000

type NetworkProcess = {
  program: 'api' | 'worker'
  /** for messages and log files: `api`, `worker-1` */
  name: string
  /** added to ours */
  env: Record<string, string>
  isReady(pid: number | undefined): Promise<boolean>
}

/** An API or worker process as in production. Logs to `NAME.log` in `dataDir`. */
export const startNetworkProcess = (
  dataDir: string,
  { program, name, env, isReady }: NetworkProcess,
): Promise<ServerProcess> =>
  startServer({
    name,
    command: process.execPath,
    args: [...markOf(program, dataDir), name],
    env: { ...process.env, ...env },
    logFile: join(dataDir, `${name}.log`),
    stopWithinMs: STOP_WITHIN_MS,
    isReady,
  })

/** Ends the processes that an earlier run on this data folder left behind. */
export async function stopNetworkOrphans(dataDir: string): Promise<void> {
  for (const program of ['api', 'worker']) {
    await stopOrphans(markOf(program, dataDir), { signal: 'SIGTERM' })
  }
}

/** The programs ignore arguments; the data folder tells whose process it is. */
const markOf = (program: string, dataDir: string) => [join(src, `${program}.ts`), dataDir]
