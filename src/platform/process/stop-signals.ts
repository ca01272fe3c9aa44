/**
 * npm passes on the signal that the terminal has already sent to the whole group: one Ctrl-C
 * arrives twice.
 */
const SAME_PRESS_MS = 500

/**
 * Resolves when somebody asks this process to stop (SIGINT, SIGTERM, SIGHUP); who asks again ends
 * it at once.
 */
export function stopRequested(): Promise<NodeJS.Signals> {
  let since: number | undefined
  return new Promise((stop) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        since ??= performance.now()
        if (performance.now() - since > SAME_PRESS_MS) process.exit(1)
        stop(signal)
      })
    }
  })
}
