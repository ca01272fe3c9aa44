import { type Call, commandDefiner, type Program } from './command.ts'
import { understand } from './understand.ts'
import { UsageError } from './usage-error.ts'

const HELP_COLUMNS = 100

/** Every program has this option. */
export const helpOption = {
  help: { kind: 'flag', short: 'h', about: 'Explain this' },
} as const

/** What a plain-text command answers: the text to print, if any. */
export type Printed = string | undefined
/** Defines a command that needs nothing but its input. */
export const defineTool = commandDefiner<object, Printed>()

/**
 * Runs a command line and prints the result, if any. A failure is one message on
 * stderr, without a stack. Exit code 1 for a failure, 2 for invalid usage.
 */
export async function runProgram<Context extends object>(
  program: Program<Context, Printed>,
  context: Context,
  typed: readonly string[] = process.argv.slice(2),
): Promise<void> {
  // The reader may close the pipe before the work is done, as `| head` does.
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
