import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { type Kind, readUsage } from './processes.ts'
import type { Service } from './service.ts'

/** Long enough for start-up work to finish and its connections to close. */
const SETTLE_S = 120
const DAY_S = 86_400

/** Measures what the service uses while nobody calls it: CPU, transactions, data growth. */
export async function benchIdle(service: Service, seconds: number): Promise<void> {
  await setTimeout(service.amount(SETTLE_S) * 1000)
  const before = await readAll(service)
  await setTimeout(seconds * 1000)
  const after = await readAll(service)
  const elapsed = (after.at - before.at) / 1000
  const kinds = Object.keys(after.usage) as Kind[]
  const shares = kinds.map((kind) => {
    const cpuSeconds = after.usage[kind].cpuSeconds - before.usage[kind].cpuSeconds
    return { kind, percent: (cpuSeconds / elapsed) * 100 }
  })
  const total = shares.reduce((sum, { percent }) => sum + percent, 0)
  const parts = shares.map(({ kind, percent }) => `${kind} ${percent.toFixed(2)}`).join(', ')
  console.log(`  ${elapsed.toFixed(0)} s idle: ${total.toFixed(2)} % of a core (${parts})`)
  const perMinute = ((after.transactions - before.transactions) / elapsed) * 60
  console.log(`  ${perMinute.toFixed(0)} transactions a minute in PostgreSQL`)
  const perDay = (now: number, then: number) =>
    `${(((now - then) / elapsed) * (DAY_S / 2 ** 20)).toFixed(1)} MB`
  console.log(
    `  a day of this adds to PostgreSQL's tables ${perDay(after.tables, before.tables)}, to ` +
      `Temporal's file ${perDay(after.temporal, before.temporal)}; of WAL, which PostgreSQL ` +
      `recycles, it writes ${perDay(after.wal, before.wal)}`,
  )
}

async function readAll({ pid, db, dataDir }: Service) {
  const { rows } = await db.query(`
    select sum(pg_database_size(oid)) as tables,
      (select sum(xact_commit + xact_rollback) from pg_stat_database) as transactions,
      pg_current_wal_lsn() - '0/0' as wal
    from pg_database`)
  const [{ tables, transactions, wal }] = rows
  const temporal = bytesOf(join(dataDir, 'temporal.db'))
  return { at: performance.now(), usage: readUsage(pid), tables, transactions, wal, temporal }
}

/** The part of a file that SQLite uses, including pages still in its log. */
function bytesOf(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true })
  const { bytes } = database
    .prepare('select page_count * page_size as bytes from pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  database.close()
  return bytes
}
