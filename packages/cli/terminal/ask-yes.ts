import { createInterface } from 'node:readline/promises'
import type { Terminal } from './terminal.ts'

/** Asks for a yes on the terminal; returns undefined if there is no terminal. */
export async function askYes(
  { stdin, stderr }: Terminal,
  question: string,
): Promise<boolean | undefined> {
  if (!stdin.isTTY) return undefined
  const lines = createInterface({ input: stdin, output: stderr })
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  try {
    return /^y(es)?$/i.test((await lines.question(`${question} [y/N] `)).trim())
  } finally {
    lines.close()
  }
}
