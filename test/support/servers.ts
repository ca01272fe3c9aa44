import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadDemoVenues } from '../../src/demo/load.ts'
import { startPostgres } from '../../src/local/postgres.ts'
import { startTemporal } from '../../src/local/temporal.ts'
import { findTemporalCli } from '../../src/local/temporal-cli.ts'
import { migrate } from '../../src/store/migrate.ts'
import { execute, openPool } from '../../src/store/sql.ts'

/** Every test database is a copy of this one: migrated, with the demo venues. */
export const TEMPLATE = 'template_network'

export type TestServers = {
  /** of the administrator, in a database without tables */
  databaseUrl: string
  temporalAddress: string
  stop(): Promise<void>
}

/**
 * A throwaway PostgreSQL with the template database and a Temporal server, for one run of the
 * tests.
 */
export async function startTestServers(): Promise<TestServers> {
  const folder = mkdtempSync(join(tmpdir(), 'venue-network-test-'))
  chmodSync(folder, 0o755)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const cli = await findTemporalCli({ chosen: process.env.TEMPORAL_CLI })
    const postgres = await startPostgres(folder, { throwaway: true })
    stops.push(postgres.stop)
    const temporal = await startTemporal(folder, { cli, namespace: 'test' })
    stops.push(temporal.stop)
    await makeTemplate(postgres.url)
    return { databaseUrl: postgres.url, temporalAddress: temporal.address, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function makeTemplate(adminUrl: string): Promise<void> {
  const admin = openPool(adminUrl, 1, () => {})
  await execute(admin, `create database ${TEMPLATE}`)
  await admin.end()
  const url = databaseAt(adminUrl, TEMPLATE)
  await migrate(url)
  const db = openPool(url, 1, () => {})
  await loadDemoVenues(db, new Date())
  await db.end()
}

/** The same server, another database. */
export function databaseAt(adminUrl: string, name: string): string {
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}
