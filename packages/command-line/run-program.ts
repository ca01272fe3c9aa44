import { type Call, commandDefiner, type Program } from './command.ts'
import { understand } from './understand.ts'
import { UsageError } from './usage-error.ts'

const HELP_COLUMNS = 100

/** The option that every program has. */
export const helpOption = {
  help: { kind: 'flag', short: 'h', about: 'Explain this' },
} as const

/** What a command of a program gets and answers that prints plain text. */
export type Printed = string | undefined
/** Defines a command that needs nothing but what was typed. */
export const defineTool = commandDefiner<object, Printed>()

/**
 * Runs what was typed and prints what the command answers, if anything. A failure is one message on
 * stderr without a stack. Exit code 1 for a failure, 2 for what cannot be meant.
 */
export async function runProgram<Context extends object>(
  program: Program<Context, Printed>,
  context: Context,
  typed: readonly string[] = process.argv.slice(2),
): Promise<void> {
  // Whoever reads the output may go away before the work is done, as `| head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const understood = understand(program, typed, HELP_COLUMNS)
    if (understood.is === 'help') {
      console.log(understood.text)
      if (!understood.isAsked) process.exitCode = 2
      return
    }
    const { command, args, options } = understood
    const text = await command.run({ args, options, ...context } as Call<never, never, Context>)
    if (text !== undefined) console.log(text)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
