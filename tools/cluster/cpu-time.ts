import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Clock ticks a second, in which proc(5) counts. */
const TICKS = Number(execFileSync('getconf', ['CLK_TCK']).toString())

type Stat = { parent: number; ticks: number }

/** utime, stime and those of its ended children, after the name in parentheses: proc(5). */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0)
    return { parent: Number(fields[1]), ticks }
  } catch {
    return null
  }
}

/** CPU seconds that a process and those that it has ended have used so far. */
export const cpuSeconds = (pid: number): number => (statOf(pid)?.ticks ?? 0) / TICKS

/** The same with its running children, as those of PostgreSQL. */
export function familySeconds(pid: number): number {
  const pids = readdirSync('/proc').map(Number)
  const children = pids.filter((one) => one > 0 && statOf(one)?.parent === pid)
  return [pid, ...children].reduce((sum, one) => sum + cpuSeconds(one), 0)
}

/** Resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}
