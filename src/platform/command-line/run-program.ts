import { type CommandCall, commandDefiner, type Program } from './command.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { UsageError } from './usage-error.ts'

const HELP_COLUMNS = 100

export const helpOption = {
  help: { kind: 'flag', short: 'h', about: 'Show this help' },
} as const

/** The text a command prints, if any. */
export type Printed = string | undefined
/** Defines a command without a context. */
export const defineTool = commandDefiner<object, Printed>()

/**
 * Runs a command line and prints the result, if any. A failure is one message on stderr, without a
 * stack. Exit code 1 for a failure, 2 for invalid usage.
 */
export async function runProgram<Context extends object>(
  program: Program<Context, Printed>,
  context: Context,
  typed: readonly string[] = process.argv.slice(2),
): Promise<void> {
  // The reader may close the pipe before the work is done, as `| head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const parsed = parseCommandLine(program, typed, HELP_COLUMNS)
    if (parsed.is === 'help') {
      console.log(parsed.text)
      if (!parsed.isAsked) process.exitCode = 2
      return
    }
    const { command, args, options } = parsed
    const text = await command.run({ args, options, ...context } as CommandCall<
      never,
      never,
      Context
    >)
    if (text !== undefined) console.log(text)
  } catch (error) {
    console.error((error as Error).message)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
