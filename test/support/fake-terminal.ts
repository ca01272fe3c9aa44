import { EventEmitter } from 'node:events'
import type { Terminal } from '../../packages/cli/terminal/terminal.ts'
import { createUndos, type Undos } from '../../packages/cli/terminal/undos.ts'

/** A terminal of which everything that is written can be read, and which `undos.runAll` interrupts. */
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

/** Somebody types: emit `data`. `raw` keeps how often the echo was switched off and on. */
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
