import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type Postgres, startPostgres } from '../../src/local/postgres.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'

const TEMPLATE = 'proof_template'
const CONNECTIONS = 200

/** A PostgreSQL server with the settings of `npm start`, in a temporary folder. */
export type Databases = {
  folder: string
  /** Creates a migrated, empty database and returns its URL. */
  create(name: string): Promise<string>
  /** Kills the server with `kill -9` and restarts it on the same data and port. */
  crash(): Promise<void>
  stop(): Promise<void>
}

export async function startDatabases(): Promise<Databases> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-proof-'))
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  let server = await startPostgres(folder, { connections: CONNECTIONS })
  const administer = async (statement: string) => {
    const admin = openPool(server.url, 1, () => {})
    await admin.query(statement).finally(() => admin.end())
  }
  const addressOf = (name: string) => {
    const url = new URL(server.url)
    url.pathname = `/${name}`
    return url.href
  }
  const stop = async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await administer(`create database ${TEMPLATE}`)
    await migrate(addressOf(TEMPLATE))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    folder,
    stop,
    async create(name) {
      await administer(`create database ${name} template ${TEMPLATE}`)
      return addressOf(name)
    },
    async crash() {
      await killWithChildren(server)
      server = await restart(folder, server)
    },
  }
}

/**
 * Kills backends too: one that outlives the postmaster could acknowledge a commit that recovery
 * loses.
 */
async function killWithChildren({ pid, ended }: Postgres): Promise<void> {
  if (!pid) return
  const children = childrenOf(pid)
  for (const one of [pid, ...children]) kill(one, 'SIGKILL')
  await ended
  while (children.some((child) => kill(child, 0))) await setTimeout(20)
}

const childrenOf = (pid: number): number[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (child && parent === pid ? [child] : []))

/** False if the process no longer exists. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const MAX_ATTEMPTS = 20

/** Retries: shared memory of the killed server can stay in use for a moment. */
async function restart(folder: string, { port }: Postgres): Promise<Postgres> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startPostgres(folder, { connections: CONNECTIONS, port })
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error
      await setTimeout(250)
    }
  }
}

/** Hundreds of callers wait for the pool, and a busy machine must not end a proof after hours. */
const TIMEOUT_MS = 120_000

/** A pool that ignores lost connections, because the proof kills the server. */
export const connect = (url: string, connections: number): Pool =>
  openPool(url, connections, () => {}, undefined, { patienceMs: TIMEOUT_MS })
