import type pg from 'pg'
import sql, { Sql } from 'sql-template-tag'
import type { z } from 'zod'
import { type Pool, withConnection } from './pool.ts'
import { beginOf, isPooled } from './pooler.ts'
import { together } from './together.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

export { openPool, type Pool } from './pool.ts'
export { together } from './together.ts'

/** A pool, or a client within a transaction: anything that can run a statement. */
export type Db = Pick<pg.Pool, 'query'>

/** A template tag that runs a statement; the template's values are sent as parameters. */
type Statement<T> = (strings: TemplateStringsArray, ...values: unknown[]) => Promise<T>

const names = new Map<string, string>()
const constants = new WeakMap<TemplateStringsArray, { name: string; text: string }>()

/** Prepares each distinct statement once per connection, under its own number. */
function prepared(strings: TemplateStringsArray, ...values: unknown[]): pg.QueryConfig {
  // Building a statement's text takes 15 µs, so it is cached for a template without SQL parts.
  const hasParts = values.some((value) => value instanceof Sql)
  const constant = hasParts ? undefined : constants.get(strings)
  if (constant) return { ...constant, values }
  const statement = sql(strings, ...values)
  const { text } = statement
  const name = names.get(text) ?? `s${names.size + 1}`
  names.set(text, name)
  if (!hasParts) constants.set(strings, { name, text })
  return { name, text, values: statement.values }
}

/** Resolves when the database answers. */
export const checkDatabase = (db: Db): Promise<unknown> => db.query('select 1')

/** All rows, parsed with `schema`, a module constant that zod compiles when first used. */
export const queryRows =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S>[]> =>
  async (...statement) => {
    const { rows } = await db.query(prepared(...statement))
    return rows.map((row) => schema.parse(row))
  }

/**
 * Rows of a statement that is planned anew for its values: for lists whose filters may match few
 * rows or many, so that no single plan suits them.
 */
const queryRowsUnprepared =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S>[]> =>
  async (...statement) => {
    const { text, values } = sql(...statement)
    const { rows } = await db.query(text, values)
    return rows.map((row) => schema.parse(row))
  }

/** The row, or undefined if there is none; throws if there are several. */
export const queryOptionalRow =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S> | undefined> =>
  async (...statement) => {
    const rows = await queryRows(db, schema)(...statement)
    if (rows.length > 1) throw new Error(`expected at most one row, got ${rows.length}`)
    return rows[0]
  }

/** Exactly one row. */
const queryRow =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S>> =>
  async (...statement) => {
    const row = await queryOptionalRow(db, schema)(...statement)
    if (row === undefined) throw new Error('expected one row, got none')
    return row
  }

/** The values of the only column. */
export const queryValues =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S>[]> =>
  async (...statement) => {
    const { rows } = await db.query(prepared(...statement))
    return rows.map((row) => schema.parse(Object.values(row)[0]))
  }

/** The value of the only column and row; undefined without a row. */
const queryOptionalValue =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S> | undefined> =>
  async (...statement) =>
    (await queryValues(db, schema)(...statement))[0]

/** The value of the only column and row; throws if there is no row. */
export const queryValue =
  <S extends z.ZodType>(db: Db, schema: S): Statement<z.output<S>> =>
  async (...statement) => {
    const values = await queryValues(db, schema)(...statement)
    if (values.length !== 1) throw new Error(`expected one value, got ${values.length}`)
    return values[0] as z.output<S>
  }

/** Runs a statement for its effect and returns the number of affected rows. */
export const execute =
  (db: Db): Statement<number> =>
  async (...statement) =>
    (await db.query(prepared(...statement))).rowCount ?? 0

/** Runs a statement for its effect; false if it affected, locked or found no row. */
const affectsRow =
  (db: Db): Statement<boolean> =>
  async (...statement) =>
    (await execute(db)(...statement)) > 0

/** Statements by what they return, so that a module imports one name for all of them. */
export const query = {
  rowsUnprepared: queryRowsUnprepared,
  rows: queryRows,
  optionalRow: queryOptionalRow,
  row: queryRow,
  values: queryValues,
  optionalValue: queryOptionalValue,
  value: queryValue,
  execute,
  affectsRow,
}

/** A part of a transaction, rolled back if `work` returns undefined; parts may be nested. */
export async function attempt<T>(
  tx: Db,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  await tx.query('savepoint attempt')
  const result = await work()
  await tx.query(
    result === undefined
      ? 'rollback to savepoint attempt; release savepoint attempt'
      : 'release savepoint attempt',
  )
  return result
}

const callbacks = new WeakMap<Db, ((pool: Pool) => void)[]>()

/** In a transaction: calls `callback` after the commit, and never after a rollback. */
export function afterCommit(tx: Db, callback: (pool: Pool) => void): void {
  callbacks.set(tx, [...(callbacks.get(tx) ?? []), callback])
}

/** What to send with a transaction's begin and commit, without extra round trips. */
type Ends<F, T> = {
  /** Sent with `begin`. Must only read: if `begin` fails, it runs outside a transaction. */
  read?: (tx: Db) => Promise<F>
  /** Sent with `commit`, all statements at once. */
  write?: (tx: Db, result: T) => Promise<unknown>
  /** Whether to roll back even though the work returned this result. */
  isUndone?: (result: T) => boolean
}

/** A transaction: committed when `work` returns, rolled back if anything throws. */
export async function transaction<T, F = undefined>(
  pool: Pool,
  work: (tx: Db, rows: F) => Promise<T>,
  { read, write, isUndone }: Ends<F, T> = {},
): Promise<T> {
  const nothing = Promise.resolve(undefined)
  return withConnection(pool, async (client, onLost) => {
    let committed = false
    try {
      const [, rows] = await together(client.query(beginOf(pool)), read?.(client) ?? nothing)
      const result = await work(client, rows as F)
      if (isUndone?.(result)) {
        await client.query('rollback')
        return result
      }
      await together(write?.(client, result) ?? nothing, client.query('commit'))
      committed = true
      return result
    } catch (error) {
      // Without an answer, closes the connection, which ends its transaction.
      if (!isDatabaseUnavailable(error)) await client.query('rollback').catch(onLost)
      throw error
    } finally {
      endOf(client, committed ? pool : null)
    }
  })
}

/** Runs the callbacks awaiting the commit, or drops them after a rollback (`null`). */
function endOf(client: Db, committedTo: Pool | null): void {
  const calls = callbacks.get(client) ?? []
  callbacks.delete(client)
  if (committedTo) for (const call of calls) call(committedTo)
}

/** Reads sent together on one connection; each has its own snapshot. */
export const readTogether = <T>(pool: Pool, read: (db: Db) => Promise<T>): Promise<T> =>
  isPooled(pool)
    ? transaction(pool, async (_, result) => result as T, { read })
    : withConnection(pool, read)
