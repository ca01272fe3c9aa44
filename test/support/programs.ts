import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { inherited } from '../../src/local/server-process.ts'

const running = new Set<ChildProcess>()
// Programs left running by a failed test end with the test file.
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

const root = resolve(import.meta.dirname, '../..')
const NODE_COMPILE_CACHE = resolve(root, 'node_modules/.cache/compiled')

/** Workflow bundles shared by all test files. */
export const bundleFolder = resolve(root, 'node_modules/.cache/workflow-bundles')

export type Program = {
  process: ChildProcess
  /** The program's output so far, from both streams. */
  output(): string
  /** Resolves once the output contains the text; rejects with the output if the program ends. */
  prints(text: string): Promise<void>
  /** Sends the signal and waits for the end; returns the exit code, null when killed. */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** Starts a TypeScript program of this project with a minimal environment plus these variables. */
export function startProgram(
  file: string,
  env: Record<string, string>,
  args: string[] = [],
): Program {
  const child = spawn(process.execPath, [file, ...args], {
    cwd: root,
    env: { ...inherited(), NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  let text = ''
  const watchers = new Set<() => void>()
  const take = (chunk: Buffer) => {
    text += chunk
    for (const watch of watchers) watch()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = once(child, 'close')
  return {
    process: child,
    output: () => text,
    prints: (wanted) =>
      new Promise((found, failed) => {
        const watch = () => {
          if (!text.includes(wanted)) return
          watchers.delete(watch)
          found()
        }
        watchers.add(watch)
        watch()
        ended.then(() => failed(new Error(`${file} ended without printing "${wanted}":\n${text}`)))
      }),
    async end(signal) {
      if (child.exitCode === null) child.kill(signal)
      await ended
      return child.exitCode
    },
  }
}

/** Compiles the service once on a new machine: a program that a test kills keeps nothing. */
export async function compileService(): Promise<void> {
  if (existsSync(NODE_COMPILE_CACHE)) return
  await once(startProgram('test/support/load-service.ts', {}).process, 'close')
}

/** What a program printed, without the progress that it shows after two seconds. */
export const withoutProgress = (output: string): string =>
  output.replaceAll(/^.* … \d+ s(, .*)?\n/gm, '')

const MAX_PAUSE_MS = 250

/** Polls for a value every `intervalMs`, for at most `timeoutMs`; the error names `what`. */
export async function eventually<T>(
  what: string,
  probe: () => Promise<T | undefined | false>,
  timeoutMs = 100_000,
  intervalMs = 50,
): Promise<T> {
  const start = performance.now()
  for (;;) {
    const value = await probe()
    if (value !== undefined && value !== false) return value
    const waitedMs = performance.now() - start
    if (waitedMs > timeoutMs) throw new Error(`waited ${timeoutMs} ms in vain for: ${what}`)
    // A long wait asks less often, as many of them at once would keep the processor busy.
    const pauseMs = Math.max(intervalMs, Math.min(waitedMs / 20, MAX_PAUSE_MS))
    await new Promise((resume) => setTimeout(resume, pauseMs))
  }
}
