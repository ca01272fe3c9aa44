import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type DueRows, erasePast } from '../../src/platform/database/continue-pass.ts'
import { openPool, type Pool } from '../../src/platform/database/sql.ts'
import { createDatabase, type TestDatabase } from '../support/database.ts'
import { readableLog } from '../support/lines.ts'

const { log } = readableLog()
let database: TestDatabase
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openPool(database.url, 2, () => {})
  await db.query(`
    create table number (n int primary key, is_stuck boolean not null default false);
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'stuck'; end $$;
    create trigger refuse before delete on number for each row
      when (old.is_stuck) execute function refuse()`)
})
afterAll(async () => {
  await db?.end()
  await database?.drop()
})
beforeEach(() =>
  db.query('truncate number; insert into number select n from generate_series(1, 2500) n'),
)

const numbers: DueRows = { from: 'number', id: 'n', where: sql`n > 0`, order: 'n' }
const stick = (stuck: readonly number[]) =>
  db.query('update number set is_stuck = true where n = any($1)', [stuck])
const left = async () => (await db.query('select n from number order by n')).rows.map(({ n }) => n)

test('rows are erased until none are left, or up to a maximum', async () => {
  const some = await erasePast({ db, log }, numbers, 1_200)
  expect(some.pass).toMatchObject({ done: 1_200, failed: 0 })
  expect((await left())[0]).toBe(1_201)
  const { pass } = await erasePast({ db, log }, numbers)
  expect(pass).toMatchObject({ done: 1_300, next: null })
  expect(await left()).toEqual([])
})

test('rows that cannot be erased do not stop the others, and are named', async () => {
  const stuck = [1, 7, 1_234, 2_500]
  await stick(stuck)
  const { pass, failedRows } = await erasePast({ db, log }, numbers)
  expect(await left()).toEqual(stuck)
  expect(pass).toMatchObject({ done: 2_496, failed: 4, next: null })
  expect(failedRows).toEqual(stuck.map((n) => ({ id: `${n}`, error: 'stuck' })))
})

test('where order matters, no row is erased after one that cannot be', async () => {
  await stick([1_234])
  const { pass, failedRows } = await erasePast({ db, log }, { ...numbers, isInOrder: true })
  expect(failedRows).toEqual([{ id: '1234', error: 'stuck' }])
  expect(pass.done).toBe(1_233)
  expect((await left())[0]).toBe(1_234)
})

test('a row that another transaction has locked is left to the next pass', async () => {
  const tx = await db.connect()
  await tx.query('begin; select from number where n = 5 for update')
  await erasePast({ db, log }, numbers)
  await tx.query('rollback')
  tx.release()
  expect(await left()).toEqual([5])
})

test('an erasure that fails for every row throws the failure', async () => {
  await db.query('update number set is_stuck = true')
  await expect(erasePast({ db, log }, numbers)).rejects.toThrow('stuck')
  const missing = { ...numbers, from: 'no_such_table' }
  await expect(erasePast({ db, log }, missing)).rejects.toThrow('does not exist')
})
