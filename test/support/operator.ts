import {
  type OperatorContext,
  type OperatorProgram,
  operatorContext,
} from '../../src/commands/operator-program.ts'
import { readConfig } from '../../src/config/config.ts'
import type { CommandCall } from '../../src/platform/command-line/command.ts'
import { parseCommandLine } from '../../src/platform/command-line/parse-command-line.ts'
import type { Pool } from '../../src/platform/database/sql.ts'

/** The parsed command line of an operator program. */
export function read(program: OperatorProgram, typed: readonly string[]) {
  const parsed = parseCommandLine(program, typed, 100)
  if (parsed.is === 'help') throw new Error(parsed.text)
  return parsed
}

/** Runs a command line on a test database and returns its output. */
export async function runTyped(
  program: OperatorProgram,
  typed: readonly string[],
  {
    db,
    config = readConfig({}),
    at = new Date(),
  }: Partial<OperatorContext> & {
    db?: Pool
    config?: ReturnType<typeof readConfig>
  } = {},
): Promise<string | undefined> {
  const { command, args, options } = read(program, typed)
  const context = operatorContext(async (work) => {
    if (db) return work(db, config)
    throw new Error('the command was parsed and looked for the database')
  }, at)
  return command.run({ args, options, ...context } as CommandCall<never, never, OperatorContext>)
}
