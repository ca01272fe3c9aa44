import { readFileSync } from 'node:fs'

/** user, nice, system, idle, iowait, irq, softirq, steal: proc(5) */
const STEAL = 7

/**
 * Processor time since boot, in ticks, all of it and that which the host gave to other machines;
 * null where the system does not tell.
 */
const ticks = (): { all: number; stolen: number } | null => {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const all = line.split(/ +/).slice(1, 9).map(Number)
    return { all: all.reduce((sum, one) => sum + one, 0), stolen: all[STEAL] ?? 0 }
  } catch {
    return null
  }
}

/**
 * What share of the processors the host gave to other machines from now until it is asked; null
 * where the system does not tell.
 */
export function watchStolen(): () => number | null {
  const before = ticks()
  return () => {
    const now = ticks()
    return before && now ? (now.stolen - before.stolen) / (now.all - before.all) : null
  }
}
