import { copyFileSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { stopOrphans } from '../../src/local/orphans.ts'
import { answers, choosePort } from '../../src/local/ports.ts'
import { runTool } from '../../src/local/programs.ts'
import { withProgress } from '../../src/local/progress.ts'
import { type ServerProcess, startServer } from '../../src/local/server-process.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import type { ClusterPrograms } from './cluster-programs.ts'

const deploy = resolve(import.meta.dirname, '../../deploy/temporal')
/** gRPC and membership ports for frontend, history, matching and worker */
const PORTS = 8

export type TemporalClusterOptions = {
  programs: ClusterPrograms
  /** its role must have the right to create databases */
  databaseUrl: string
  /** preferred ports */
  ports?: number[] | undefined
}

export type TemporalCluster = ServerProcess & { address: string; ports: number[] }

/**
 * Starts the Temporal server as in production: four services in one process, store and visibility
 * in PostgreSQL, and the configuration and schema script that the containers use. The caller must
 * hold `dataDir`. Orphans of an earlier run are stopped first.
 */
export async function startTemporalCluster(
  dataDir: string,
  { programs, databaseUrl, ports: preferred = [] }: TemporalClusterOptions,
): Promise<TemporalCluster> {
  const root = ['--root', dataDir]
  await stopOrphans(root, { signal: 'SIGTERM' })
  const sql = sqlEnvironment(databaseUrl)
  await withProgress(
    "Migrating Temporal's databases",
    prepareDatabases(databaseUrl, { ...sql, SQL_TOOL: programs.sqlTool }),
  )
  mkdirSync(join(dataDir, 'temporal'), { recursive: true })
  copyFileSync(join(deploy, 'server.yaml'), join(dataDir, 'temporal', 'server.yaml'))
  const ports: number[] = []
  while (ports.length < PORTS) ports.push(await choosePort(preferred[ports.length]))
  const [frontend = 0] = ports
  const server = await startServer({
    name: 'The Temporal server',
    command: programs.server,
    args: [...root, '--config', 'temporal', '--env', 'server', '--allow-no-auth', 'start'],
    env: {
      ...sql,
      TEMPORAL_PORTS: ports.join(' '),
      TEMPORAL_DYNAMIC_CONFIG: join(deploy, 'dynamic-config.yaml'),
    },
    logFile: join(dataDir, 'temporal.log'),
    stopSignal: 'SIGTERM',
    killSignal: 'SIGKILL',
    isReady: () => answers('127.0.0.1', frontend),
  })
  return { ...server, address: `127.0.0.1:${frontend}`, ports }
}

/**
 * The environment of the server and its schema tool, which keeps the password out of command lines
 * and files.
 */
function sqlEnvironment(databaseUrl: string): Record<string, string> {
  const { hostname, port, username, password } = new URL(databaseUrl)
  return {
    SQL_HOST: hostname,
    SQL_PORT: port || '5432',
    SQL_USER: decodeURIComponent(username),
    SQL_PASSWORD: decodeURIComponent(password),
  }
}

async function prepareDatabases(databaseUrl: string, env: Record<string, string>): Promise<void> {
  await createMissingDatabases(databaseUrl, ['temporal', 'temporal_visibility'])
  await runTool('sh', [join(deploy, 'prepare-schema.sh')], { env: { ...process.env, ...env } })
}

/** Creates the named databases that the server lacks. */
async function createMissingDatabases(url: string, names: string[]): Promise<void> {
  const db = openPool(url, 1, () => {})
  try {
    const { rows } = await db.query('select datname from pg_database')
    const present = new Set(rows.map(({ datname }) => datname))
    for (const name of names.filter((name) => !present.has(name))) {
      await db.query(`create database ${pg.escapeIdentifier(name)}`)
    }
  } finally {
    await db.end()
  }
}
