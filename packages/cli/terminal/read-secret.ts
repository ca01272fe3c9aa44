import { UsageError } from '../../../src/platform/command-line/usage-error.ts'
import type { Input, Terminal } from './terminal.ts'

const MAX_BYTES = 4096
const ETX = '\u0003'
const ENDS = ['\r', '\n', '\u0004']
const BACKSPACES = ['\u007f', '\b']

/** Reads a secret from a silent prompt, or all of stdin when that is not a terminal. */
export const readSecret = (terminal: Terminal, prompt: string): Promise<string> =>
  terminal.stdin.isTTY ? askFor(terminal, prompt) : readAll(terminal.stdin)

/** All of stdin, up to a limit. */
async function readAll(stdin: Input): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.length > MAX_BYTES) throw new UsageError('stdin holds more than a key.')
  }
  return text.trim()
}

function askFor({ stdin, stderr, onInterrupt }: Terminal, prompt: string): Promise<string> {
  // Before the prompt, so that a quick paste is not echoed.
  stdin.setRawMode(true)
  stderr.write(prompt)
  stdin.setEncoding('utf8')
  stdin.resume()
  let typed = ''
  return new Promise((resolve) => {
    const restore = () => {
      stdin.setRawMode(false)
      stdin.pause()
      stderr.write('\n')
    }
    const forget = onInterrupt(restore)
    const take = (text: string) => {
      for (const character of text) {
        // In raw mode Ctrl-C arrives as a character.
        if (character === ETX) return void process.kill(process.pid, 'SIGINT')
        if (ENDS.includes(character)) {
          stdin.off('data', take)
          forget()
          restore()
          return resolve(typed.trim())
        }
        typed = BACKSPACES.includes(character) ? typed.slice(0, -1) : typed + character
      }
    }
    stdin.on('data', take)
  })
}
