import { rmSync } from 'node:fs'
import { startPostgres } from '../../src/local/postgres.ts'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { loadDemoVenues } from '../../src/venues/demo/load.ts'
import { makeScratchFolder } from './scratch-folder.ts'

const settings = [
  // A killed worker blocks its workflow for 2 s instead of 10 s.
  'history.defaultWorkflowTaskTimeout="2s"',
  // A fifth of its time would go into counters of each task queue of all the namespaces.
  ...['TaskQueue', 'Partition', 'BuildID'].map((what) => `metrics.breakdownBy${what}=false`),
]

/** Collects garbage a quarter as often. */
const env = { GOGC: '400' }

/** Every test database is a copy of this one, migrated and with the demo venues. */
export const TEMPLATE = 'template_network'

export type TestServers = {
  /** with a role that is allowed to create databases */
  databaseUrl: string
  temporalAddress: string
  baseUrl: string | null
  stop(): Promise<void>
}

export type RunningServers = { databaseUrl: string; temporalAddress: string; baseUrl: string }

/** The running network that `npm run cluster -- --test` names in TEST_BASE_URL, if set. */
export function findTestServers(env: NodeJS.ProcessEnv): RunningServers | undefined {
  const { TEST_BASE_URL, TEST_DATABASE_URL, TEST_TEMPORAL_ADDRESS } = env
  if (!TEST_BASE_URL) return undefined
  if (TEST_DATABASE_URL && TEST_TEMPORAL_ADDRESS) {
    return {
      baseUrl: TEST_BASE_URL,
      databaseUrl: TEST_DATABASE_URL,
      temporalAddress: TEST_TEMPORAL_ADDRESS,
    }
  }
  throw new Error('TEST_BASE_URL needs TEST_DATABASE_URL and TEST_TEMPORAL_ADDRESS beside it.')
}

/** These servers, with the template database that most test files use, dropped at the end. */
export async function useTestServers(running: RunningServers): Promise<TestServers> {
  await dropTemplate(running.databaseUrl)
  await makeTemplate(running.databaseUrl)
  return { ...running, stop: () => dropTemplate(running.databaseUrl) }
}

/** A throwaway PostgreSQL with the template database, and a Temporal server, for one run. */
export async function startTestServers(): Promise<TestServers> {
  const folder = makeScratchFolder('venue-network-test-')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
    // Services started by a test inherit neither the cache folder nor index settings.
    process.env.TEMPORAL_CLI = cli
    const postgres = await startPostgres(folder, { throwaway: true })
    stops.push(postgres.stop)
    // Most connections run a statement less often than the five times until its plan is kept.
    if (process.env.NIGHTLY !== '1') {
      await administer(postgres.url, 'alter role postgres set plan_cache_mode = force_generic_plan')
    }
    const temporal = await startTemporal(folder, { cli, namespace: 'test', settings, env })
    stops.push(temporal.stop)
    await makeTemplate(postgres.url)
    const { url: databaseUrl } = postgres
    return { databaseUrl, temporalAddress: temporal.address, baseUrl: null, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function dropTemplate(adminUrl: string): Promise<void> {
  await administer(adminUrl, `drop database if exists ${TEMPLATE}`)
}

async function administer(adminUrl: string, statement: string): Promise<void> {
  const admin = openPool(adminUrl, 1, () => {})
  await admin.query(statement)
  await admin.end()
}

async function makeTemplate(adminUrl: string): Promise<void> {
  await administer(adminUrl, `create database ${TEMPLATE}`)
  const url = databaseAt(adminUrl, TEMPLATE)
  await migrate(url)
  const db = openPool(url, 1, () => {})
  await loadDemoVenues(db, new Date())
  await db.end()
}

/** The address of another database on the same server. */
export function databaseAt(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
