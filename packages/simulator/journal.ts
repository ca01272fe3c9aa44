import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, truncateSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

export type Journal<Entry> = {
  /** Earlier entries, in order. */
  entries: Entry[]
  /** Resolves once the entries are on disk; only then may they be announced. */
  append(entries: Entry[]): Promise<void>
}

/** An in-memory journal, for a simulator without a folder. */
export const memoryJournal = <Entry>(): Journal<Entry> => ({
  entries: [],
  append: async () => {},
})

/**
 * Append-only, one JSON object per line. Entries that arrive during a write share the next one. A
 * truncated last line was never announced and is dropped; damage anywhere else is an error.
 */
export async function openJournal<Entry>(folder: string): Promise<Journal<Entry>> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'book.jsonl')
  const file = await open(path, 'a')
  syncFolder(folder)
  const content = readFileSync(path)
  const whole = content.subarray(0, content.lastIndexOf('\n') + 1)
  if (whole.length < content.length) {
    truncateSync(path, whole.length)
    await file.sync()
  }

  let waiting: string[] = []
  let next: Promise<void> | undefined
  let last: Promise<void> = Promise.resolve()

  const flush = async () => {
    await last
    const lines = waiting
    waiting = []
    last = next ?? last
    next = undefined
    await file.appendFile(lines.join(''))
    await file.datasync()
  }

  return {
    entries: whole.toString().split('\n').slice(0, -1).map(parseLine),
    append(entries) {
      waiting.push(...entries.map((entry) => `${JSON.stringify(entry)}\n`))
      next ??= flush()
      return next
    },
  }

  function parseLine(line: string, index: number): Entry {
    try {
      return JSON.parse(line)
    } catch {
      throw new Error(`${path} is damaged in line ${index + 1}: move it away to start a new book.`)
    }
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}
