import { setTimeout } from 'node:timers/promises'

const STOP_WITHIN_MS = 9_500
/** npm passes on the signal that the terminal has already sent to the whole group: the same Ctrl-C arrives twice. */
const SAME_PRESS_MS = 500

/**
 * Resolves when somebody asks this process to stop (SIGINT, SIGTERM, SIGHUP). From then on the process has 9.5 s; a second
 * request ends it at once.
 */
export function stopRequested(): Promise<NodeJS.Signals> {
  let since: number | undefined
  return new Promise((stop) => {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(name, () => {
        if (since === undefined) {
          since = performance.now()
          stop(name)
          void setTimeout(STOP_WITHIN_MS, undefined, { ref: false }).then(() => process.exit(1))
        } else if (performance.now() - since > SAME_PRESS_MS) process.exit(1)
      })
    }
  })
}
