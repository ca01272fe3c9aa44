import { readFileSync } from 'node:fs'

/** the eighth of user, nice, system, idle, iowait, irq, softirq, steal: proc(5) */
const STEAL = 7

/** CPU ticks since boot, total and stolen by the host; null where unsupported. */
const ticks = (): { all: number; stolen: number } | null => {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const all = line.split(/ +/).slice(1, 9).map(Number)
    return { all: all.reduce((sum, one) => sum + one, 0), stolen: all[STEAL] ?? 0 }
  } catch {
    return null
  }
}

/** Starts measuring the share of CPU time stolen by the host; null where unsupported. */
export function watchStolen(): () => number | null {
  const before = ticks()
  return () => {
    const now = ticks()
    return before && now ? (now.stolen - before.stolen) / (now.all - before.all) : null
  }
}
