import { type CommandCall, commandDefiner, type Program } from './command.ts'
import { parseCommandLine } from './parse-command-line.ts'
import { UsageError } from './usage-error.ts'

const HELP_COLUMNS = 100

export const helpOption = {
  help: { kind: 'flag', short: 'h', about: 'Show this help' },
} as const

/** Returns the text to print, if any. */
export type Printed = string | undefined
/** Defines a command without a context. */
export const defineTool = commandDefiner<object, Printed>()

/** What a run prints, and its exit code: 1 for a failure, 2 for incorrect usage. */
type Outcome = { code: number; stdout?: Printed; stderr?: string }

/** Runs a command line. A failure is reported as one message, without a stack trace. */
export async function outcomeOf<Context extends object>(
  program: Program<Context, Printed>,
  context: Context,
  typed: readonly string[],
): Promise<Outcome> {
  try {
    const parsed = parseCommandLine(program, typed, HELP_COLUMNS)
    if (parsed.is === 'help') return { code: parsed.isAsked ? 0 : 2, stdout: parsed.text }
    const { command, args, options } = parsed
    const call = { args, options, ...context } as CommandCall<never, never, Context>
    return { code: 0, stdout: await command.run(call) }
  } catch (error) {
    return { code: error instanceof UsageError ? 2 : 1, stderr: (error as Error).message }
  }
}

/** Runs this process's command line and prints the outcome. */
export async function runProgram<Context extends object>(
  program: Program<Context, Printed>,
  context: Context,
  typed: readonly string[] = process.argv.slice(2),
): Promise<void> {
  // The reader might close the pipe before all output is written, as `| head` does.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const { code, stdout, stderr } = await outcomeOf(program, context, typed)
  if (stdout !== undefined) console.log(stdout)
  if (stderr !== undefined) console.error(stderr)
  if (code !== 0) process.exitCode = code
}
