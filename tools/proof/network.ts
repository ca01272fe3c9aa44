import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Client } from '@temporalio/client'
import { setUpTemporal } from '../../src/compose/set-up-temporal.ts'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'
import { connectEngine } from '../../src/platform/temporal/connect.ts'
import { type Program, startProgram } from '../../test/support/programs.ts'
import { connect, type Databases } from './databases.ts'

/** A process of the network: its program, its first output once ready, and its settings. */
export type Part = { file: string; ready: string; env?: Record<string, string> }

/** Parts as separate processes, as in production, with their own servers. */
export type Network = {
  url: string
  db: Pool
  client: Client
  /** Kills a part with `kill -9` and restarts it on the same data; resolves once it is ready. */
  crash: Readonly<Record<string, () => Promise<void>>>
  stop(): Promise<void>
}

type Plan = {
  /** name of the Temporal namespace and the folder */
  name: string
  databaseUrl: string
  /** the API's port */
  port: number
  /** started in this order */
  parts: Readonly<Record<string, Part>>
}

export const apiPart: Part = { file: 'src/api.ts', ready: 'the doors are open' }
export const workerPart: Part = { file: 'src/worker.ts', ready: 'the worker takes bookings' }

export async function startNetwork(
  databases: Databases,
  { name, databaseUrl, port, parts }: Plan,
): Promise<Network> {
  const folder = join(databases.folder, name)
  mkdirSync(folder)
  const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
  const temporal = await startTemporal(folder, { cli, namespace: name })
  const env = {
    NODE_ENV: 'development',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: name,
    DATA_DIR: databases.folder,
    SECRETS_KEY: newSealingKey(),
    PORT: String(port),
    LOG_LEVEL: 'info',
    // A single account sends as much as many accounts would.
    REQUESTS_PER_SECOND: '1000000',
    REQUESTS_IN_FLIGHT: '10000',
    BOOKINGS_PER_SECOND: '1000000',
    BOOKINGS_IN_FLIGHT: '10000',
  }
  const running = new Map<string, Program>()
  const start = async (part: string) => {
    const { file, ready, env: more } = parts[part] as Part
    const program = startProgram(file, { ...env, ...more })
    running.set(part, program)
    await program.prints(ready)
  }
  const crash = async (part: string) => {
    await running.get(part)?.end('SIGKILL')
    await start(part)
  }
  const db = connect(databaseUrl, 5)
  const stop = async () => {
    await Promise.all([...running.values()].map((program) => program.end('SIGKILL')))
    await db.end()
    await temporal.stop()
  }
  try {
    const engine = { address: temporal.address, namespace: name }
    await setUpTemporal(engine)
    for (const part of Object.keys(parts)) await start(part)
    const client = await connectEngine(engine)
    const crashes = Object.keys(parts).map((part) => [part, () => crash(part)] as const)
    return {
      url: `http://127.0.0.1:${port}`,
      db,
      client,
      crash: { ...Object.fromEntries(crashes), database: () => databases.crash() },
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
