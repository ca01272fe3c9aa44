import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { programOf } from '../../packages/cli/program.ts'
import { run } from '../../packages/cli/run.ts'
import { readSettings } from '../../packages/cli/settings.ts'
import type { Terminal } from '../../packages/cli/terminal/terminal.ts'

const root = resolve(import.meta.dirname, '../..')

/** A command line's output and exit code. */
export type Ran = { code: number | null; stdout: string; stderr: string; json(): any }

/** Runs the command line to its end, as a script would, with this environment and stdin. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  { stdin = '', program = [process.execPath, 'packages/cli/main.ts'] } = {},
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

/** Runs the command line in this process, because most of the time goes into starting Node. */
export async function callCli(args: readonly string[], env: Record<string, string>): Promise<Ran> {
  const printed = { stdout: '', stderr: '' }
  const stream = (name: keyof typeof printed) => ({
    isTTY: false,
    write(text: string) {
      printed[name] += text
      return true
    },
  })
  const terminal = {
    stdin: { isTTY: false },
    stdout: stream('stdout'),
    stderr: stream('stderr'),
    say: (text: string) => void terminal.stderr.write(`${text}\n`),
    onInterrupt: () => () => {},
  }
  const code = await run(
    programOf('venue-network'),
    args,
    readSettings(env),
    terminal as unknown as Terminal,
  )
  return { code, ...printed, json: () => JSON.parse(printed.stdout) }
}
