import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { migrate } from '../../src/platform/database/migrate.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { untilWaiting } from '../support/lock-waits.ts'

/** Three migrations for a table `visit`, the second of which builds its indexes concurrently. */
const visits = join(import.meta.dirname, 'migrations')
const indexes = ['visit_by_guest', 'visit_by_time']

let database: TestDatabase
let db: Pool

beforeEach(async () => {
  database = await createDatabase('empty')
  db = openPool(database.url, 4, () => {})
})

afterEach(async () => {
  await db.end()
  await database.drop()
})

test('migrating a second time changes nothing', async () => {
  expect(await migrate(database.url)).toContain('0001_baseline')
  expect(await migrate(database.url)).toEqual([])
})

test('concurrent migrations run each migration once', async () => {
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.url)))
  expect(runs.filter((names) => names.length > 0)).toHaveLength(1)
})

/** The first migration has run, but the indexes of the second have not been built. */
async function openBeforeIndexes() {
  await migrate(database.url, visits)
  await db.query(`
    drop index visit_by_guest, visit_by_time;
    alter table visit drop column note;
    delete from migration where name > '0002'`)
}

const validIndexes = async () => {
  const { rows } = await db.query(
    `select indexrelid::regclass::text as name from pg_index
     where indisvalid and indexrelid::regclass::text = any($1) order by 1`,
    [indexes],
  )
  return rows.map(({ name }) => name)
}

test('rows are written while indexes are built', async () => {
  await openBeforeIndexes()
  const writer = await db.connect()
  await writer.query('begin; lock table visit in row exclusive mode')
  const migrating = migrate(database.url, visits)
  await untilWaiting(db, 1)
  await db.query('begin; lock table visit in row exclusive mode nowait; end')
  await writer.query('commit')
  writer.release()
  expect(await migrating).toEqual(['0002_visit_indexes', '0003_visit_note'])
  expect(await validIndexes()).toEqual(indexes)
})

test('invalid indexes are rebuilt, and valid ones are kept', async () => {
  await openBeforeIndexes()
  const writer = await db.connect()
  const builder = await db.connect()
  await builder.query('create index visit_by_guest on visit (guest, at desc)')
  const { rows: before } = await db.query(`select 'visit_by_guest'::regclass::oid as oid`)
  await writer.query('begin; lock table visit in row exclusive mode')
  await builder.query(`set statement_timeout = '200ms'`)
  const build = 'create index concurrently visit_by_time on visit (at)'
  await expect(builder.query(build)).rejects.toThrow('statement timeout')
  builder.release(true)
  await writer.query('commit')
  writer.release()
  expect(await validIndexes()).toEqual(['visit_by_guest'])
  await migrate(database.url, visits)
  expect(await validIndexes()).toEqual(indexes)
  const { rows: after } = await db.query(`select 'visit_by_guest'::regclass::oid as oid`)
  expect(after).toEqual(before)
})

test('a migration that does not get its lock fails, and runs when retried', async () => {
  await openBeforeIndexes()
  const holder = await db.connect()
  await holder.query('begin; lock table visit in row share mode')
  await expect(migrate(database.url, visits)).rejects.toThrow('lock timeout')
  await holder.query('commit')
  holder.release()
  expect(await migrate(database.url, visits)).toEqual(['0003_visit_note'])
})
