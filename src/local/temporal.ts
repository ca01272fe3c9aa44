import { join } from 'node:path'
import { stopOrphans } from './orphans.ts'
import { answers, choosePort } from './ports.ts'
import { type ServerProcess, startServer } from './server-process.ts'

export type TemporalOptions = {
  cli: string
  namespace: string
  /** taken when they are free */
  port?: number | undefined
  uiPort?: number | undefined
  /** dynamic configuration beside ours, each `name=value` */
  settings?: readonly string[]
}

export type TemporalServer = ServerProcess & { address: string; port: number; uiPort: number }

// With the defaults each task queue is read at most 20 times a second, and a booking takes 350 ms
// instead of 57.
const tuning = [
  'history.transferProcessorMaxPollRPS=10000',
  'history.timerProcessorMaxPollRPS=10000',
  'history.visibilityProcessorMaxPollRPS=10000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'system.namespaceCacheRefreshInterval="1s"',
]

/**
 * Temporal's development server with its UI, on loopback, kept in a file under `dataDir`, which the
 * caller must hold. A server that an earlier run left behind on the same file is stopped first.
 */
export async function startTemporal(
  dataDir: string,
  options: TemporalOptions,
): Promise<TemporalServer> {
  const file = ['--db-filename', join(dataDir, 'temporal.db')]
  await stopOrphans(file, { signal: 'SIGTERM' })
  const port = await choosePort(options.port)
  const uiPort = await choosePort(options.uiPort)
  const server = await startServer({
    name: 'The Temporal server',
    command: options.cli,
    args: [
      ...['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'warn'],
      ...['--port', String(port), '--ui-port', String(uiPort), '--namespace', options.namespace],
      ...file,
      ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
      ...[...tuning, ...(options.settings ?? [])].flatMap((value) => [
        '--dynamic-config-value',
        value,
      ]),
    ],
    logFile: join(dataDir, 'temporal.log'),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => answers('127.0.0.1', port),
  })
  return { ...server, address: `127.0.0.1:${port}`, port, uiPort }
}
