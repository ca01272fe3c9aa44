import { type Config, readConfig } from '../config/config.ts'
import { withDatabase } from '../local/database.ts'
import { commandDefiner, type Program } from '../platform/command-line/command.ts'
import { helpOption, type Printed, runProgram } from '../platform/command-line/run-program.ts'
import { migrate } from '../platform/database/migrate.ts'
import { type Db, openPool, type Pool, transaction } from '../platform/database/sql.ts'

/** Opens the database only when a command needs it. */
type OnDatabase<D> = <T>(work: (db: D, config: Config) => Promise<T>) => Promise<T>

export type OperatorContext = {
  onDatabase: OnDatabase<Pool>
  /** work that takes effect as a whole or not at all */
  inTransaction: OnDatabase<Db>
  at: Date
}

/** What a command uses; `onDatabase` lends it a database. */
export const operatorContext = (onDatabase: OnDatabase<Pool>, at: Date): OperatorContext => ({
  onDatabase,
  inTransaction: (work) => onDatabase((db, config) => transaction(db, (tx) => work(tx, config))),
  at,
})

export type OperatorProgram = Program<OperatorContext, Printed>

/** Defines a command, inferring the types of its arguments and options. */
export const defineOperatorCommand = commandDefiner<OperatorContext, Printed>()

export const operatorProgram = (program: Omit<OperatorProgram, 'options'>): OperatorProgram => ({
  ...program,
  options: helpOption,
  notes: [
    ...(program.notes ?? []),
    'Works on DATABASE_URL, or on the embedded database of DATA_DIR, running or not.',
  ],
})

export const runOperatorProgram = (program: OperatorProgram): Promise<void> =>
  runProgram(program, operatorContext(onDatabase, new Date()))

function onDatabase<T>(work: (db: Pool, config: Config) => Promise<T>): Promise<T> {
  const config = readConfig()
  return withDatabase(config, async ({ url, isOurs }) => {
    if (isOurs) await migrate(url)
    const pooler = isOurs ? 'none' : config.DATABASE_POOLER
    const db = openPool(url, 1, () => {}, undefined, { pooler })
    try {
      return await work(db, config)
    } finally {
      await db.end()
    }
  })
}
