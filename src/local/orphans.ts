import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

const STOP_WITHIN_MS = 5_000

/** How an orphan is asked to stop, and how it is ended if it has not after so many milliseconds: by force unless said otherwise. */
type Stopping = { signal: NodeJS.Signals; killSignal?: NodeJS.Signals; withinMs?: number }

/**
 * Ends what an earlier run that was killed has left behind: every process with exactly these
 * arguments in a row on its command line, which name the data folder that the caller holds. What
 * outlives the `killSignal` for twice as long, which PostgreSQL takes to end its own, is ended by force.
 */
export async function stopOrphans(
  args: string[],
  { signal, killSignal = 'SIGKILL', withinMs = STOP_WITHIN_MS }: Stopping,
): Promise<void> {
  const begun = performance.now()
  const steps = [
    { with: signal, afterMs: 0 },
    { with: killSignal, afterMs: withinMs },
    { with: 'SIGKILL', afterMs: 3 * withinMs },
  ] as const
  let taken = 0
  for (;;) {
    const orphans = await processesWith(args)
    if (orphans.length === 0) return
    const next = steps[taken]
    if (next && performance.now() - begun >= next.afterMs) {
      for (const pid of orphans) kill(pid, next.with)
      taken += 1
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

/** Linux is read directly, because small installations have no `ps`. */
function processesWith(args: string[]): Promise<number[]> {
  return process.platform === 'linux' ? procProcessesWith(args) : psProcessesWith(args)
}

async function procProcessesWith(args: string[]): Promise<number[]> {
  const wanted = `\0${args.join('\0')}\0`
  const found: number[] = []
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const commandLine = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '')
    if (commandLine.includes(wanted)) found.push(Number(entry))
  }
  return found
}

async function psProcessesWith(args: string[]): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,command='])
  return stdout
    .split('\n')
    .filter((line) => `${line} `.includes(` ${args.join(' ')} `))
    .map((line) => Number.parseInt(line, 10))
}
