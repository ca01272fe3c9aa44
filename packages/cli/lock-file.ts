import { open, rm } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { UsageError } from '../../src/platform/command-line/usage-error.ts'

const TIMEOUT_MS = 3_000
const POLL_MS = 20

/** Runs `work` while holding an exclusive lock file. Throws `UsageError` for a stale lock. */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  await take(file)
  try {
    return await work()
  } finally {
    await rm(file, { force: true })
  }
}

async function take(file: string): Promise<void> {
  const until = performance.now() + TIMEOUT_MS
  for (;;) {
    try {
      return await (await open(file, 'wx')).close()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    if (performance.now() >= until) {
      throw new UsageError(`Another login is in progress. If not, delete ${file}.`)
    }
    await setTimeout(POLL_MS)
  }
}
