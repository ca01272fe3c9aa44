import { rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { type Keep, startOnce } from './kept-server.ts'
import { stopOrphans } from './orphans.ts'
import { choosePort } from './ports.ts'
import { openCluster } from './postgres-cluster.ts'
import { postgresBinaries, postgresUser } from './postgres-programs.ts'
import { type ServerProcess, startServer } from './server-process.ts'

type PostgresOptions = {
  /** used if it is free */
  port?: number | undefined
  /** 100 by default */
  connections?: number
  /** for tests: fast, but data is lost if the machine crashes */
  throwaway?: boolean
  keep?: Keep
}

export type Postgres = ServerProcess & { port: number; url: string }

const throwaway = [
  ...['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'],
  ...['wal_level=minimal', 'max_wal_senders=0'],
]

/** The npm package's PostgreSQL on loopback, with its data in the caller's folder. */
export async function startPostgres(
  dataDir: string,
  options: PostgresOptions = {},
): Promise<Postgres> {
  const user = postgresUser()
  const bin = postgresBinaries(user)
  const { data, password } = await openCluster(dataDir, bin, user)
  // After SIGKILL, its child processes run on for a while and prevent another server from starting.
  await stopOrphans(['-D', data], { signal: 'SIGINT', killSignal: 'SIGQUIT' })
  rmSync(join(data, 'postmaster.pid'), { force: true })

  const port = await choosePort(options.port)
  const connections = options.connections ?? (options.throwaway ? 300 : 100)
  const settings = [
    'shared_buffers=128MB',
    ...(options.throwaway ? throwaway : []),
    `max_connections=${connections}`,
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    // The details and context of errors would quote rows and parameters.
    'log_error_verbosity=terse',
    'timezone=UTC',
    'log_timezone=UTC',
  ]
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`
  // A restart keeps `postmaster.pid`, so that the new server does not touch the data until the
  // previous server's last process has ended.
  const start = () =>
    startServer({
      name: 'PostgreSQL',
      command: join(bin, 'postgres'),
      args: ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      logFile: join(dataDir, 'postgres.log'),
      user,
      stopSignal: 'SIGINT',
      killSignal: 'SIGQUIT',
      isReady: () => accepts(url),
    })
  const { keep = startOnce } = options
  const server = await keep('PostgreSQL', start)
  return { ...server, port, url }
}

/** Whether a server accepts connections. */
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
