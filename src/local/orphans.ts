import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const STOP_WITHIN_MS = 5_000

type Stopping = { signal: NodeJS.Signals; killSignal?: NodeJS.Signals; withinMs?: number }

/**
 * Ends the rest of a killed run: every process with these arguments. Sends `killSignal` after
 * `withinMs`, and SIGKILL after three times as long, because PostgreSQL needs time to end its own
 * processes.
 */
export async function stopOrphans(
  args: string[],
  { signal, killSignal = 'SIGKILL', withinMs = STOP_WITHIN_MS }: Stopping,
): Promise<void> {
  const begin = performance.now()
  const steps = [
    { with: signal, afterMs: 0 },
    { with: killSignal, afterMs: withinMs },
    { with: 'SIGKILL', afterMs: 3 * withinMs },
  ] as const
  let count = 0
  for (;;) {
    const orphans = await processesWith(args)
    if (orphans.length === 0) return
    const next = steps[count]
    if (next && performance.now() - begin >= next.afterMs) {
      for (const pid of orphans) kill(pid, next.with)
      count += 1
    }
    await setTimeout(50)
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/**
 * Processes whose command line contains exactly these arguments in a row. Reads /proc on Linux,
 * because small installations lack `ps`.
 */
export async function processesWith(args: string[]): Promise<number[]> {
  if (process.platform === 'linux') {
    const command = `\0${args.join('\0')}\0`
    const pids: number[] = []
    for (const entry of await readdir('/proc')) {
      if (!/^\d+$/.test(entry)) continue
      const commandLine = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
      if (commandLine.includes(command)) pids.push(Number(entry))
    }
    return pids
  }
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='])
  return stdout
    .split('\n')
    .filter((line) => `${line} `.includes(` ${args.join(' ')} `))
    .map((line) => Number.parseInt(line, 10))
}
