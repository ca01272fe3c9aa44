import type { Client } from '@temporalio/client'
import { choosePort } from '../../src/local/ports.ts'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { setUpTemporal } from '../../src/set-up-temporal.ts'
import { type Program, startProgram } from '../../test/support/programs.ts'
import { connect, type Databases } from './databases.ts'

/** API and worker as separate processes, as in production, with their own servers. */
export type Network = {
  url: string
  db: Pool
  client: Client
  /** Kills a part with `kill -9` and restarts it on the same data; resolves once it is ready. */
  crash: Readonly<Record<string, () => Promise<void>>>
  stop(): Promise<void>
}

const NAMESPACE = 'proof'

export async function startNetwork(databases: Databases): Promise<Network> {
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const temporal = await startTemporal(databases.folder, { cli, namespace: NAMESPACE })
  const databaseUrl = await databases.create('doors')
  const port = await choosePort()
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: NAMESPACE,
    DATA_DIR: databases.folder,
    SECRETS_KEY: newSealingKey(),
    PORT: String(port),
    LOG_LEVEL: 'info',
    // One account sends what many would.
    REQUESTS_PER_SECOND: '1000000',
    REQUESTS_IN_FLIGHT: '10000',
    BOOKINGS_PER_SECOND: '1000000',
    BOOKINGS_IN_FLIGHT: '10000',
  }
  const start = async (file: string, ready: string) => {
    const program = startProgram(file, env)
    await program.prints(ready)
    return program
  }
  const startApi = () => start('src/api.ts', 'the doors are open')
  const startWorker = () => start('src/worker.ts', 'the worker takes bookings')
  let api: Program | undefined
  let worker: Program | undefined
  const db = connect(databaseUrl, 5)
  const stop = async () => {
    await Promise.all([worker?.end('SIGKILL'), api?.end('SIGKILL')])
    await db.end()
    await temporal.stop()
  }
  try {
    await setUpTemporal({ address: temporal.address, namespace: NAMESPACE })
    worker = await startWorker()
    api = await startApi()
    const client = await connectEngine({ address: temporal.address, namespace: NAMESPACE })
    return {
      url: `http://127.0.0.1:${port}`,
      db,
      client,
      crash: {
        worker: async () => {
          await worker?.end('SIGKILL')
          worker = await startWorker()
        },
        API: async () => {
          await api?.end('SIGKILL')
          api = await startApi()
        },
        database: () => databases.crash(),
      },
      async stop() {
        await client.connection.close()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
