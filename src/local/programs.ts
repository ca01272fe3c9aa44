import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ProcessUser } from './server-process.ts'

type ToolOptions = { env?: NodeJS.ProcessEnv; user?: ProcessUser | undefined }

/**
 * Runs a program to completion and returns its output; errors contain its last lines. The program
 * and its children do not outlive this process.
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
  // Must run before the listener that removes the program's folder.
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

/** A program's path in the user's cache, which all projects share. */
export const cachedProgram = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'venue-network', 'bin', name)

/**
 * Puts a program at `file`, completely or not at all. `make` works in a folder next to it and
 * returns the program's path; the folder is removed even if the process is stopped.
 */
export async function keepProgram(file: string, make: (folder: string) => Promise<string>) {
  mkdirSync(dirname(file), { recursive: true })
  const folder = mkdtempSync(`${file}-`)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    renameSync(await make(folder), file)
  } finally {
    process.off('exit', remove)
    remove()
  }
}
