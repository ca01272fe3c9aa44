import { EventEmitter } from 'node:events'
import { type Cleanups, createCleanups } from '../../packages/cli/terminal/cleanups.ts'
import type { Terminal } from '../../packages/cli/terminal/terminal.ts'

/** A terminal that records what is written, and that `cleanups.runAll` interrupts. */
export function fakeTerminal(
  stdin: unknown,
  isTTY: boolean,
): { terminal: Terminal; cleanups: Cleanups; written(): string } {
  let written = ''
  const write = (text: string) => {
    written += text
    return true
  }
  const cleanups = createCleanups()
  const terminal = {
    stdin,
    stdout: { write },
    stderr: { isTTY, write },
    say: (text: string) => void write(`${text}\n`),
    onInterrupt: cleanups.add,
  } as unknown as Terminal
  return { terminal, cleanups, written: () => written }
}

/** Emit `data` to type. `raw` records each time the echo is switched. */
export class Keyboard extends EventEmitter {
  isTTY = true
  raw: boolean[] = []
  setRawMode(on: boolean): void {
    this.raw.push(on)
  }
  setEncoding(): void {}
  resume(): void {}
  pause(): void {}
}
