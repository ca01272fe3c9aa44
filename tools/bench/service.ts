import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { readFolderState } from '../../src/local/data-folder.ts'
import { choosePort } from '../../src/local/ports.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { isReady } from './api-process.ts'

const root = resolve(import.meta.dirname, '../..')
/** The script's shell replaces itself with `exec`, so that the process is the service. */
const { start } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

/** Scales a full run's calls, rows or seconds to this run. */
export type Amount = (full: number) => number

export type Service = {
  url: string
  databaseUrl: string
  temporalAddress: string
  dataDir: string
  db: Pool
  amount: Amount
  /** process id of the doors' process; with `npm start`, the parent of the others */
  pid: number
  /** Resident memory of the doors and the worker, in MB. */
  memoryMb(): number
  /** time from the second start to /readyz */
  readyAfterMs?: number
  stop(): Promise<void>
}

/** In a bench, a single account sends as much as many accounts would. */
export const unlimited = {
  REQUESTS_PER_SECOND: '1000000',
  REQUESTS_IN_FLIGHT: '10000',
  BOOKINGS_PER_SECOND: '1000000',
  BOOKINGS_IN_FLIGHT: '10000',
}

/** The service of `npm start`, started for the second time, with its own data folder. */
export async function startService(amount: Amount): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-bench-'))
  chmodSync(folder, 0o755)
  const first = await launch(folder)
  await end(first.child)
  const warm = await launch(folder)
  const { databaseUrl, temporalPort } = readFolderState(folder)
  if (!databaseUrl || !temporalPort)
    throw new Error('the data folder names no database or Temporal server')
  const db = openPool(databaseUrl, 10, () => {})
  const { pid = 0 } = warm.child
  return {
    url: warm.url,
    databaseUrl,
    temporalAddress: `127.0.0.1:${temporalPort}`,
    dataDir: folder,
    db,
    amount,
    pid,
    readyAfterMs: warm.readyAfterMs,
    memoryMb: () => memoryOf(pid),
    async stop() {
      await db.end()
      await end(warm.child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Resident memory of a process, in MB. */
export const memoryOf = (pid: number): number =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)]).toString()) / 1024

async function launch(folder: string) {
  const port = await choosePort()
  const url = `http://127.0.0.1:${port}`
  const startedAt = performance.now()
  const child = spawn('sh', ['-c', start], {
    cwd: root,
    env: {
      ...process.env,
      PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}`,
      DATA_DIR: folder,
      PORT: String(port),
      LOG_LEVEL: 'warn',
      // All callers share one address.
      OPEN_REQUESTS_PER_MINUTE: '100000',
      ...unlimited,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    await new Promise((resume) => setTimeout(resume, 50))
  }
  return { child, url, readyAfterMs: performance.now() - startedAt }
}

async function end(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  if (child.exitCode === null) await once(child, 'exit')
}
