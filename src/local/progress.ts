const QUIET_MS = 2_000
const PLAIN_EVERY_MS = 30_000

type Terminal = { isTTY?: boolean; columns?: number; write(text: string): unknown }

/**
 * Awaits `work`. After two seconds, shows the label, the seconds and `detail`: in place on a
 * terminal, otherwise in a line every 30 s.
 */
export async function withProgress<T>(
  label: string,
  work: Promise<T>,
  detail: () => string = () => '',
  out: Terminal = process.stderr,
): Promise<T> {
  const begin = performance.now()
  let isVisible = false
  const show = () => {
    const seconds = Math.round((performance.now() - begin) / 1000)
    const line = [`${label} … ${seconds} s`, detail()].filter(Boolean).join(', ')
    out.write(out.isTTY ? `\r\x1b[K${line.slice(0, (out.columns || 80) - 1)}` : `${line}\n`)
    isVisible = true
  }
  let every: NodeJS.Timeout | undefined
  const first = setTimeout(() => {
    show()
    every = setInterval(show, out.isTTY ? 1_000 : PLAIN_EVERY_MS)
  }, QUIET_MS)
  const end = () => {
    clearTimeout(first)
    clearInterval(every)
    if (isVisible && out.isTTY) out.write('\n')
  }
  process.once('exit', end)
  try {
    return await work
  } finally {
    process.off('exit', end)
    end()
  }
}
