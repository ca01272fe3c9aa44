import { EventEmitter } from 'node:events'
import type { Terminal } from '../../packages/cli/terminal/terminal.ts'
import { createUndos, type Undos } from '../../packages/cli/terminal/undos.ts'

/** A terminal that records what is written, and that `undos.runAll` interrupts. */
export function fakeTerminal(
  stdin: unknown,
  isTTY: boolean,
): { terminal: Terminal; undos: Undos; written(): string } {
  let written = ''
  const write = (text: string) => {
    written += text
    return true
  }
  const undos = createUndos()
  const terminal = {
    stdin,
    stdout: { write },
    stderr: { isTTY, write },
    say: (text: string) => void write(`${text}\n`),
    onInterrupt: undos.add,
  } as unknown as Terminal
  return { terminal, undos, written: () => written }
}

/** Emit `data` to type. `raw` records each switch of the echo. */
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
