import { startApi } from '../../src/compose/start-api.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { type Agent, openAgent } from './agent.ts'
import { type Network, openNetwork } from './network.ts'
import { eventually, type Program, startProgram } from './programs.ts'
import { type Catch, openTcpProxy } from './tcp-proxy.ts'

/** The connection is cut before the nth commit reaches the server. */
export const beforeCommit = (nth: number): Catch => ({
  direction: 'request',
  text: 'commit\0',
  occurrence: nth,
})

/** The connection is cut after the nth commit, before the process learns of it. */
export const afterCommit = (nth: number): Catch => ({
  direction: 'answer',
  text: 'COMMIT\0',
  occurrence: nth,
})

/** A network with an API in this process, and workers in processes that can be killed. */
export type CrashSite = {
  network: Network
  agent: Agent
  startWorker(databaseUrl?: string): Promise<Program>
  /** Starts a worker, runs `cause`, cuts its connection to PostgreSQL at `at`, and kills it. */
  killWorkerAt(at: Catch, cause: () => Promise<void>): Promise<void>
  /** The booking once it has been decided. */
  outcomeOf(bookingId: string): Promise<Record<string, any>>
  killWorkers(): Promise<void>
  close(): Promise<void>
}

export async function openCrashSite(overrides: Record<string, string> = {}): Promise<CrashSite> {
  const network = await openNetwork(overrides, { isScheduled: true })
  const { config, env, db } = network
  const api = await startApi(config, createLog('silent'))
  const agent = await openAgent(db, api.url)
  const workers: Program[] = []

  const startWorker = async (databaseUrl = config.DATABASE_URL) => {
    const worker = startProgram('src/worker.ts', { ...env, DATABASE_URL: databaseUrl })
    workers.push(worker)
    await worker.prints('the worker takes bookings')
    return worker
  }
  const killWorkers = async () => {
    for (const worker of workers.splice(0)) await worker.end('SIGKILL')
  }
  return {
    network,
    agent,
    startWorker,
    killWorkers,
    async killWorkerAt(at, cause) {
      const { hostname, port } = new URL(config.DATABASE_URL)
      const proxy = await openTcpProxy(hostname, Number(port))
      const throughProxy = new URL(config.DATABASE_URL)
      throughProxy.host = `127.0.0.1:${proxy.port}`
      const worker = await startWorker(throughProxy.href)
      const reached = proxy.freezeAt(at)
      await cause()
      await reached
      await worker.end('SIGKILL')
      await proxy.close()
    },
    outcomeOf: (bookingId) =>
      eventually(`booking ${bookingId} to be decided`, async () => {
        const { body } = await agent.get(`/api/bookings/${bookingId}`)
        return body.booking.status !== 'pending' && body.booking.status !== 'held' && body.booking
      }),
    async close() {
      await killWorkers()
      await api.stop()
      await network.close()
    },
  }
}
