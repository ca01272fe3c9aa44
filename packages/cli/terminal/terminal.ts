import { exitCodes } from '../exit-codes.ts'
import { createUndos } from './undos.ts'

export type Input = NodeJS.ReadStream
type Output = NodeJS.WriteStream

/** The streams of the process. Answers go to stdout, and everything else to stderr. */
export type Terminal = {
  stdin: Input
  stdout: Output
  stderr: Output
  say(text: string): void
  /** Something to be undone when the program is interrupted; call the answer when it is over. */
  onInterrupt(undo: () => void): () => void
}

const signals = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const

/** The terminal of this process. Ctrl-C undoes what was begun on the screen and ends it with 130. */
export function openTerminal(): Terminal {
  const undos = createUndos()
  const { stdin, stdout, stderr } = process
  for (const [signal, code] of Object.entries(signals)) {
    process.once(signal, () => {
      undos.runAll()
      process.exit(code)
    })
  }
  stderr.on('error', () => {})
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever reads may go away, as `| head` does: then there is nobody to go on for.
    if (error.code === 'EPIPE') process.exit()
    stderr.write(`The answer cannot be written (${error.code}).\n`)
    process.exit(exitCodes.unreachable)
  })
  return {
    stdin,
    stdout,
    stderr,
    say: (text) => void stderr.write(`${text}\n`),
    onInterrupt: undos.add,
  }
}
