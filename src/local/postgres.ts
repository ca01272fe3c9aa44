import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openCluster } from '../../tools/cluster/postgres-cluster.ts'
import { stopOrphans } from './orphans.ts'
import { choosePort } from './ports.ts'
import { postgresBinaries } from './postgres-binaries.ts'
import { postgresUser } from './postgres-user.ts'
import { type ServerProcess, startServer } from './server-process.ts'

export type PostgresOptions = {
  /** taken when it is free */
  port?: number | undefined
  /** at once; 100 where nothing else is said */
  connections?: number
  /** for tests: fast, and worthless after a crash of the machine */
  throwaway?: boolean
}

export type Postgres = ServerProcess & { port: number; url: string }

const durable = ['shared_buffers=128MB']
const throwaway = [
  'shared_buffers=128MB',
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
]

/**
 * PostgreSQL from the npm package, on loopback, with its data under `dataDir`, which the caller
 * must hold. A server that an earlier run left behind on the same data is stopped first.
 */
export async function startPostgres(
  dataDir: string,
  options: PostgresOptions = {},
): Promise<Postgres> {
  const user = postgresUser()
  const bin = postgresBinaries(user)
  const { data, password } = await openCluster(dataDir, bin, user)
  // Were it ended by force, its own processes would go on for a while, and no other server starts beside them.
  await stopOrphans(['-D', data], { signal: 'SIGINT', killSignal: 'SIGQUIT' })
  rmSync(join(data, 'postmaster.pid'), { force: true })

  const port = await choosePort(options.port)
  const connections = options.connections ?? (options.throwaway ? 300 : 100)
  const settings = [
    ...(options.throwaway ? throwaway : durable),
    `max_connections=${connections}`,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // Without the context and detail of an error, which quote rows and parameters.
    'log_error_verbosity=terse',
    'timezone=UTC',
    'log_timezone=UTC',
  ]
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  const server = await startServer({
    name: 'PostgreSQL',
    command: join(bin, 'postgres'),
    args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
    logFile: join(dataDir, 'postgres.log'),
    user,
    stopSignal: 'SIGINT',
    killSignal: 'SIGQUIT',
    isReady: () => accepts(url),
  })
  return { ...server, port, url }
}

async function accepts(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end()
  }
}
