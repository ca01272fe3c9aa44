import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answers, choosePort } from '../../src/local/ports.ts'
import { postgresUser } from '../../src/local/postgres-programs.ts'
import { startServer } from '../../src/local/server-process.ts'

/** The path of Debian’s binary, or of your own build. */
const PROGRAM = process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer'

/** CI installs PgBouncer (.ci/run); elsewhere, tests that need it are skipped and named. */
export const hasPgBouncer = process.env.CI !== undefined || versionOf() !== undefined

/** Prepared statements need version 1.21; Debian 12 has an older one. */
export const keepsStatements = (versionOf() ?? 0) >= 1.21

function versionOf(): number | undefined {
  try {
    const shown = execFileSync(PROGRAM, ['--version'], { stdio: 'pipe', encoding: 'utf8' })
    return Number(/\d+\.\d+/.exec(shown)?.[0])
  } catch {
    return undefined
  }
}

/**
 * PgBouncer in transaction mode in front of a server, with so few connections that they are shared
 * between transactions. All clients use the role of `databaseUrl`.
 */
export async function openPgBouncer(databaseUrl: string, settings: readonly string[] = []) {
  const { hostname, port, username, password } = new URL(databaseUrl)
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-pgbouncer-'))
  chmodSync(folder, 0o755)
  const listenPort = await choosePort()
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${listenPort}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 4',
    'max_client_conn = 500',
    ...settings,
  ]
  writeFileSync(file, lines.join('\n'))
  const server = await startServer({
    name: 'PgBouncer',
    command: PROGRAM,
    args: [file],
    logFile: join(folder, 'pgbouncer.log'),
    user: postgresUser(),
    isReady: () => answers('127.0.0.1', listenPort),
  })
  return {
    /** The address of a database through PgBouncer. */
    before(url: string): string {
      const pooled = new URL(url)
      pooled.host = `127.0.0.1:${listenPort}`
      return pooled.href
    },
    async close() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
