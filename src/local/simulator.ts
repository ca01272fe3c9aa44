import { join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { Log } from '../platform/telemetry/log.ts'
import type { DataFolder } from './data-folder.ts'
import { stopOrphans } from './orphans.ts'
import { choosePort } from './ports.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const program = resolve(import.meta.dirname, '../../packages/simulator/main.ts')
const PAUSE_MS = 1_000

/** The systems of simulated venues: where the network finds them. */
export type LocalSimulator = { url: string; stop(): Promise<void> }

/**
 * Starts the venue simulator with its book in the data folder. One that ends, as its script can make it, is started again
 * after a second: a venue's system that has crashed comes back.
 */
export async function startSimulator(
  folder: DataFolder,
  secret: string,
  log: Log,
): Promise<LocalSimulator> {
  const args = [program, folder.path]
  await stopOrphans(args, { signal: 'SIGTERM' })
  const port = await choosePort(folder.state.simulatorPort)
  folder.update({ simulatorPort: port })
  const url = `http://127.0.0.1:${port}`
  const start = () =>
    startServer({
      name: 'The venue simulator',
      command: process.execPath,
      args,
      env: {
        PORT: String(port),
        SIMULATOR_SECRET: secret,
        SIMULATOR_DATA: join(folder.path, 'simulator'),
      },
      logFile: join(folder.path, 'simulator.log'),
      stopSignal: 'SIGTERM',
      killSignal: 'SIGKILL',
      isReady: () => isListening(url),
    })
  const stopping = new AbortController()
  let running = await start()
  const keepRunning = async () => {
    while (!stopping.signal.aborted) running = await nextRun(running)
  }
  async function nextRun(current: ServerProcess): Promise<ServerProcess> {
    const how = await current.ended
    if (stopping.signal.aborted) return current
    log.warn({ how }, 'the venue simulator ended and is started again')
    await setTimeout(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {})
    return stopping.signal.aborted ? current : start()
  }
  const kept = keepRunning().catch((err: unknown) => log.error({ err }, 'no venue simulator'))
  return {
    url,
    async stop() {
      stopping.abort()
      await running.stop()
      await kept
    },
  }
}

const isListening = (url: string) =>
  fetch(`${url}/book`).then(
    ({ ok }) => ok,
    () => false,
  )
