import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { databaseAt, TEMPLATE } from './servers.ts'

/** Enough time to open a connection even on a busy machine. */
export const TIMEOUT_MS = 60_000

export type TestDatabase = { url: string; drop(): Promise<void> }

/** A new database: migrated and with the demo venues, or without any table. */
export async function createDatabase(
  content: 'network' | 'empty' = 'network',
): Promise<TestDatabase> {
  const adminUrl = inject('databaseUrl')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const admin = openPool(adminUrl, 1, () => {}, undefined, { patienceMs: TIMEOUT_MS })
    try {
      await admin.query(statement)
    } finally {
      await admin.end()
    }
  }
  const template = content === 'network' ? TEMPLATE : 'template0'
  // Copying page by page through the log would take three times the CPU time.
  await run(`create database ${name} template ${template} strategy file_copy`)
  return {
    url: databaseAt(adminUrl, name),
    drop: () => run(`drop database ${name} with (force)`),
  }
}

/** A pool for a test that runs many things concurrently. */
export const openTestPool = (url: string, max: number): Pool =>
  openPool(url, max, () => {}, undefined, { patienceMs: TIMEOUT_MS })

/** A database for this many processes, each with a pool; `close` ends the pools and drops it. */
export async function createSharedDatabase(processes: number) {
  const { url, drop } = await createDatabase()
  const pools = Array.from({ length: processes }, () => openTestPool(url, 5))
  const close = async () => {
    await Promise.all(pools.map((pool) => pool.end()))
    await drop()
  }
  return { pools, close }
}
