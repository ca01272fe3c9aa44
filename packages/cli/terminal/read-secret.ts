import { UsageError } from '../../command-line/usage-error.ts'
import type { Input, Terminal } from './terminal.ts'

const MOST_BYTES = 4096
const ETX = '\u0003'
const EOT = '\u0004'
const BACKSPACES = ['\u007f', '\b']

/** A secret from a prompt that shows nothing of it or, where nobody types, all of stdin. */
export const readSecret = (terminal: Terminal, prompt: string): Promise<string> =>
  terminal.stdin.isTTY ? askFor(terminal, prompt) : readAll(terminal.stdin)

/** Everything on stdin, which must not be much. */
async function readAll(stdin: Input): Promise<string> {
  let text = ''
  for await (const chunk of stdin) {
    text += chunk
    if (text.length > MOST_BYTES) throw new UsageError('There is more on stdin than a key.')
  }
  return text.trim()
}

function askFor({ stdin, stderr, onInterrupt }: Terminal, prompt: string): Promise<string> {
  // Before the prompt: who is quick to paste would see the key otherwise.
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
        // In raw mode Ctrl-C is a character like any other.
        if (character === ETX) return void process.kill(process.pid, 'SIGINT')
        if (character === '\r' || character === '\n' || character === EOT) {
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
