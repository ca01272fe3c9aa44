export type Input = NodeJS.ReadStream
export type Output = NodeJS.WriteStream

/** The streams of the process. Answers go to stdout, and everything else to stderr. */
export type Terminal = {
  stdin: Input
  stdout: Output
  stderr: Output
  say(text: string): void
  /** Something to be undone when the program is interrupted; call the answer when it is over. */
  onInterrupt(undo: () => void): () => void
}

const INTERRUPTED = 130

/** The terminal of this process. Ctrl-C undoes what was begun on the screen and ends it with 130. */
export function openTerminal(): Terminal {
  const undos = new Set<() => void>()
  const { stdin, stdout, stderr } = process
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      for (const undo of undos) undo()
      process.exit(INTERRUPTED)
    })
  }
  // Whoever reads may go away, as `| head` does: then there is nobody to go on for.
  stdout.on('error', () => process.exit())
  stderr.on('error', () => {})
  return {
    stdin,
    stdout,
    stderr,
    say: (text) => void stderr.write(`${text}\n`),
    onInterrupt(undo) {
      undos.add(undo)
      return () => void undos.delete(undo)
    },
  }
}
