import { readdirSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** The total for one kind of process: CPU seconds so far, and current memory. */
export type Usage = { cpuSeconds: number; memoryMb: number }

const TICKS_PER_SECOND = 100
const kinds = ['node', 'postgres', 'temporal', 'simulator'] as const
export type Kind = (typeof kinds)[number]

/**
 * What `npm start` uses by kind of process, from Linux's /proc. Memory is the proportional set
 * size, which counts a page shared by n processes, as PostgreSQL's buffers are, as 1/n.
 */
export function readUsage(pid: number): Record<Kind, Usage> {
  const used = Object.fromEntries(kinds.map((kind) => [kind, { cpuSeconds: 0, memoryMb: 0 }]))
  for (const child of descendants(pid)) {
    const usage = used[child.pid === pid ? 'node' : kindOf(child.pid)]
    if (!usage) continue
    // The Node process's only ended children are those from its start.
    const ticks = child.ticks + (child.pid === pid ? 0 : child.endedTicks)
    usage.cpuSeconds += ticks / TICKS_PER_SECOND
    usage.memoryMb += proportionalMb(child.pid)
  }
  return used as Record<Kind, Usage>
}

/** A process's CPU seconds so far; for a `family`, including all its descendants. */
export function cpuSecondsOf(pid: number, isFamily = false): number {
  const all = isFamily ? descendants(pid) : [readProcess(pid)]
  const ticks = all.map((one) => (one ? one.ticks + (isFamily ? one.endedTicks : 0) : 0))
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

type Process = { pid: number; parent: number; ticks: number; endedTicks: number }

/** A process and all its descendants. */
function descendants(root: number): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const all = pids.flatMap((pid) => readProcess(Number(pid)) ?? [])
  const tree = all.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...all.filter(({ parent }) => parent === pid))
  return tree
}

/** proc_pid_stat(5); undefined for a process that has just ended. */
function readProcess(pid: number): Process | undefined {
  const stat = readOptional(`/proc/${pid}/stat`)
  if (!stat) return undefined
  // The name, in parentheses, can contain anything; the third field follows.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    pid,
    parent: field(4),
    ticks: field(14) + field(15),
    endedTicks: field(16) + field(17),
  }
}

function kindOf(pid: number): Kind {
  const command = readOptional(`/proc/${pid}/cmdline`) ?? ''
  const [program = ''] = command.split('\0')
  if (program.startsWith('postgres') || basename(program) === 'postgres') return 'postgres'
  return basename(program).startsWith('temporal') ? 'temporal' : 'simulator'
}

/** The proportional set size of a process. */
export function proportionalMb(pid: number): number {
  const rollup = readOptional(`/proc/${pid}/smaps_rollup`) ?? ''
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024
}

function readOptional(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
