import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { ProcessUser } from './server-process.ts'

export type ToolOptions = { env?: NodeJS.ProcessEnv; user?: ProcessUser | undefined }

/**
 * Runs a program to its end and answers what it printed; when it fails, the error is the end of
 * that. The program and its children do not outlive this process.
 */
export async function runTool(
  program: string,
  args: string[],
  { env = process.env, user }: ToolOptions = {},
): Promise<string> {
  const child = spawn(program, args, {
    cwd: '/',
    detached: true,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const kill = () => {
    if (child.pid) process.kill(-child.pid, 'SIGTERM')
  }
  // Before what removes the folder that the program writes to.
  process.prependOnceListener('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  try {
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(output.trim().split('\n').slice(-3).join(' / '))
    return output
  } finally {
    process.off('exit', kill)
  }
}
