import { join, resolve } from 'node:path'
import { stopOrphans } from '../../src/local/orphans.ts'
import { type ServerProcess, startServer } from '../../src/local/server-process.ts'

const src = resolve(import.meta.dirname, '../../src')
/** More than the 28 s drain time of a worker or API. */
const STOP_WITHIN_MS = 35_000

type NetworkProcess = {
  program: 'api' | 'worker'
  /** used in messages and log file names: `api`, `worker-1` */
  name: string
  /** added to the current environment */
  env: Record<string, string>
  isReady(pid: number | undefined): Promise<boolean>
}

/** Starts an API or worker process as in production. Logs to `NAME.log` in `dataDir`. */
export const startNetworkProcess = (
  dataDir: string,
  { program, name, env, isReady }: NetworkProcess,
): Promise<ServerProcess> =>
  startServer({
    name,
    command: process.execPath,
    args: [...orphanMark(program, dataDir), name],
    env: { ...process.env, ...env },
    logFile: join(dataDir, `${name}.log`),
    stopWithinMs: STOP_WITHIN_MS,
    isReady,
  })

/** Stops processes left behind by an earlier run on this data folder. */
export async function stopNetworkOrphans(dataDir: string): Promise<void> {
  for (const program of ['api', 'worker']) {
    await stopOrphans(orphanMark(program, dataDir), { signal: 'SIGTERM' })
  }
}

/** Arguments that identify processes of this data folder; the programs ignore them. */
const orphanMark = (program: string, dataDir: string) => [join(src, `${program}.ts`), dataDir]
