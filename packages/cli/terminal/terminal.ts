import { exitCodes } from '../exit-codes.ts'
import { createCleanups } from './cleanups.ts'

export type Input = NodeJS.ReadStream
type Output = NodeJS.WriteStream

/** The process's streams. Answers go to stdout, everything else to stderr. */
export type Terminal = {
  stdin: Input
  stdout: Output
  stderr: Output
  say(text: string): void
  /** Registers a cleanup for an interrupt; call the result to remove it. */
  onInterrupt(cleanup: () => void): () => void
}

const signals = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const

/** The terminal of this process. Ctrl-C runs the cleanups and exits with 130. */
export function openTerminal(): Terminal {
  const cleanups = createCleanups()
  const { stdin, stdout, stderr } = process
  for (const [signal, code] of Object.entries(signals)) {
    process.once(signal, () => {
      cleanups.runAll()
      process.exit(code)
    })
  }
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Stop when the reader closes the pipe, as `| head` does.
    if (error.code === 'EPIPE') process.exit()
    stderr.write(`The answer cannot be written (${error.code}).\n`)
    process.exit(exitCodes.unreachable)
  })
  return {
    stdin,
    stdout,
    stderr,
    say: (text) => void stderr.write(`${text}\n`),
    onInterrupt: cleanups.add,
  }
}
