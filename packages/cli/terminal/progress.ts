import type { Terminal } from './terminal.ts'

const FIRST_MS = 500
const EACH_MS = 1000
/** Without a terminal, an occasional line is enough. */
const FIRST_LINE_S = 2
const LINE_EACH_S = 30
const CLEAR = '\r\u001b[K'

/**
 * Shows the reason for and length of a wait on stderr, then clears it. `say` prints lines above the
 * progress line.
 */
export async function withProgress<T>(
  terminal: Terminal,
  text: string,
  work: (say: (line: string) => void) => Promise<T>,
): Promise<T> {
  const { stderr } = terminal
  const startedAt = performance.now()
  const seconds = () => Math.round((performance.now() - startedAt) / 1000)
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
