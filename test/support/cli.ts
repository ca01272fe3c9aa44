import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** What a run of the command line printed, and its exit code. */
export type Ran = { code: number | null; stdout: string; stderr: string; json(): any }

/** Runs the command line to its end as somebody's script would, with this environment and stdin. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  { stdin = '', program = [process.execPath, 'cli/main.ts'] } = {},
): Promise<Ran> {
  const [command = '', ...first] = program
  const child = spawn(command, [...first, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TZ: 'UTC', ...env },
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text
    })
  }
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  await once(child, 'close')
  return { code: child.exitCode, ...printed, json: () => JSON.parse(printed.stdout) }
}
