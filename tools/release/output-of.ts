import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const LAST_LINES = 12

/** What a program prints; if it fails, throws an error with its last lines. */
export async function outputOf(
  cwd: string,
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, { cwd, env, maxBuffer: 2 ** 26 })
    return stdout.trim()
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & Record<string, string>
    const lines = `${stdout}${stderr}`.trim().split('\n').slice(-LAST_LINES)
    throw new Error(`${[program, ...args].join(' ')} failed\n${lines.join('\n') || message}`)
  }
}
