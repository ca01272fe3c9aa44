/** What was typed cannot be meant; the answer shows how it is meant. */
export class UsageError extends Error {}

/**
 * Runs a command and prints what it answers, if anything: a failure is one message without a stack, and exit code 1. `--help` prints
 * the usage.
 */
export async function runCommand(
  usage: string,
  run: (args: string[]) => Promise<string | undefined>,
): Promise<void> {
  const args = process.argv.slice(2)
  // Without this a signal would end the process before it can end a PostgreSQL that it has started.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  // Whoever reads the report may go away, as `| head` does, before the work is done.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  try {
    const asksForHelp = args.includes('--help') || args.includes('-h')
    const text = asksForHelp ? usage : await run(args)
    if (text !== undefined) console.log(text)
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    const misused = error instanceof UsageError || code?.startsWith('ERR_PARSE_ARGS')
    console.error(misused ? `${message}\n\n${usage}` : message)
    process.exitCode = 1
  }
}
