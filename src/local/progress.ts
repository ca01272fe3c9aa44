const QUIET_MS = 2_000
const PLAIN_EVERY_MS = 30_000

type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown }

/**
 * Awaits `work`. Once that takes over two seconds, `out` says what is going on and for how long: in
 * one line that counts the seconds on a terminal, otherwise in a line every half a minute. `detail`
 * adds what the work itself can say.
 */
export async function withProgress<T>(
  label: string,
  work: Promise<T>,
  detail: () => string = () => '',
  out: Terminal = process.stderr,
): Promise<T> {
  const begin = performance.now()
  let shown = false
  const show = () => {
    const seconds = Math.round((performance.now() - begin) / 1000)
    const line = [`${label} … ${seconds} s`, detail()].filter(Boolean).join(', ')
    out.write(out.isTTY ? `\r\x1b[K${line.slice(0, (out.columns || 80) - 1)}` : `${line}\n`)
    shown = true
  }
  let every: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    show()
    every = setInterval(show, out.isTTY ? 1_000 : PLAIN_EVERY_MS)
  }, QUIET_MS)
  const end = () => {
    clearTimeout(first)
    clearInterval(every)
    if (shown && out.isTTY) out.write('\n')
  }
  process.once('exit', end)
  try {
    return await work
  } finally {
    process.off('exit', end)
    end()
  }
}
