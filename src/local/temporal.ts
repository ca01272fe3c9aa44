import { join } from 'node:path'
import { type Keep, startOnce } from './kept-server.ts'
import { stopOrphans } from './orphans.ts'
import { answers, choosePort } from './ports.ts'
import { type ServerProcess, startServer } from './server-process.ts'

type TemporalOptions = {
  cli: string
  namespace: string
  /** used if they are free */
  port?: number | undefined
  uiPort?: number | undefined
  /** additional dynamic configuration, as `name=value` */
  settings?: readonly string[]
  /** added to the server's environment */
  env?: NodeJS.ProcessEnv
  keep?: Keep
}

type TemporalServer = ServerProcess & { address: string; port: number; uiPort: number }

// By default, task queues are polled 20 times a second, and a booking takes 350 ms instead of 57.
const tuning = [
  'history.transferProcessorMaxPollRPS=10000',
  'history.timerProcessorMaxPollRPS=10000',
  'history.visibilityProcessorMaxPollRPS=10000',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
  'system.namespaceCacheRefreshInterval="1s"',
]

/** Temporal's development server and UI on loopback, with its database in the caller's folder. */
export async function startTemporal(
  dataDir: string,
  options: TemporalOptions,
): Promise<TemporalServer> {
  const file = ['--db-filename', join(dataDir, 'temporal.db')]
  // A server left behind by a killed run would use the same file.
  await stopOrphans(file, { signal: 'SIGTERM' })
  const port = await choosePort(options.port)
  const uiPort = await choosePort(options.uiPort)
  const dynamic = [...tuning, ...(options.settings ?? [])]
  const { keep = startOnce } = options
  const name = 'The Temporal server'
  const start = () =>
    startServer({
      name,
      command: options.cli,
      args: [
        ...['server', 'start-dev', '--ip', '127.0.0.1', '--log-level', 'warn'],
        ...['--port', String(port), '--ui-port', String(uiPort), '--namespace', options.namespace],
        ...file,
        ...['--sqlite-pragma', 'journal_mode=WAL', '--sqlite-pragma', 'synchronous=NORMAL'],
        ...dynamic.flatMap((setting) => ['--dynamic-config-value', setting]),
      ],
      logFile: join(dataDir, 'temporal.log'),
      env: options.env ?? {},
      isReady: () => answers('127.0.0.1', port),
    })
  const server = await keep(name, start)
  return { ...server, address: `127.0.0.1:${port}`, port, uiPort }
}
