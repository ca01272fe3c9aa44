import type { Terminal } from './terminal.ts'

const FIRST_MS = 500
const EACH_MS = 1000
/** Where nobody looks, a line now and then is enough. */
const FIRST_LINE_S = 2
const LINE_EACH_S = 30
const CLEAR = '\r\u001b[K'

/**
 * Says on stderr what is waited for and for how long, once it takes longer than a moment, and takes it away again. `stop` says lines above
 * it through `say`.
 */
export async function withProgress<T>(
  terminal: Terminal,
  text: string,
  work: (say: (line: string) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = terminal
  const started = performance.now()
  const seconds = () => Math.round((performance.now() - started) / 1000)
  let isShown = false
  let nextLine = FIRST_LINE_S
  const clear = () => {
    if (isShown) stderr.write(CLEAR)
    isShown = false
  }
  const show = () => {
    if (stderr.isTTY) {
      stderr.write(`${CLEAR}${text} ${seconds()} s`)
      isShown = true
    } else if (seconds() >= nextLine) {
      terminal.say(`${text} …`)
      nextLine += LINE_EACH_S
    }
  }
  let timer = setTimeout(function again() {
    show()
    timer = setTimeout(again, EACH_MS)
  }, FIRST_MS)
  const forget = terminal.onInterrupt(clear)
  try {
    return await work((line) => {
      clear()
      terminal.say(line)
    })
  } finally {
    clearTimeout(timer)
    forget()
    clear()
  }
}
