import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const port = z.int().min(1).max(65535).optional()

const state = z.object({
  /** the process that has locked the folder */
  pid: z.int().optional(),
  /** present while that process has a ready database */
  databaseUrl: z.string().optional(),
  /** where it can be reached from then on */
  publicUrl: z.string().optional(),
  postgresPort: port,
  temporalPort: port,
  temporalUiPort: port,
  simulatorPort: port,
  whatsappPort: port,
  /** for the Temporal services of `npm run cluster` */
  clusterPorts: z.array(z.int()).optional(),
})
/** State kept between starts; commands use it to find the running service. */
type FolderState = z.infer<typeof state>

/** DATA_DIR, locked by this process until `release` or until the process ends. */
export type DataFolder = {
  path: string
  state: FolderState
  /** Merges into the stored state; undefined removes an entry. */
  update(changes: { [K in keyof FolderState]?: FolderState[K] | undefined }): void
  release(): void
}

/**
 * Locks DATA_DIR; undefined if another process has it. The operating system locks a SQLite file and
 * unlocks it when the process ends, even by `kill -9`, so the lock can never be stale.
 */
export function takeDataFolder(dataDir: string): DataFolder | undefined {
  const path = resolve(dataDir)
  const lock = openLock(path)
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (/locked/.test((error as Error).message)) return undefined
    throw error
  }
  const { databaseUrl: _, publicUrl: _url, ...initial } = readFolderState(path)
  const folder: DataFolder = {
    path,
    state: initial,
    update(changes) {
      folder.state = state.parse({ ...folder.state, ...changes })
      writeState(path, folder.state)
    },
    release() {
      folder.update({ pid: undefined, databaseUrl: undefined, publicUrl: undefined })
      lock.close()
    },
  }
  folder.update({ pid: process.pid })
  return folder
}

/** Unlike Node's own `recursive`, ends where folders cannot be made, as in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

function openLock(path: string): DatabaseSync {
  try {
    makeFolder(path)
    // Also restricts an existing folder, because its logs and ids are private.
    chmodSync(path, 0o700)
    return new DatabaseSync(join(path, 'lock'), { timeout: 0 })
  } catch (error) {
    const { message } = error as Error
    throw new Error(`The data folder ${path} cannot be used (${message}). Set another DATA_DIR.`)
  }
}

/** Locks DATA_DIR; throws an error with the remedy if another process has it. */
export function holdDataFolder(dataDir: string): DataFolder {
  const folder = takeDataFolder(dataDir)
  if (folder) return folder
  const { pid } = readFolderState(dataDir)
  const holder = pid ? `process ${pid}` : 'another process'
  throw new Error(
    `The data folder ${resolve(dataDir)} is in use by ${holder}. Stop it first, or set another ` +
      'DATA_DIR and PORT.',
  )
}

/** A folder's stored state, even if another process has locked it; empty if it is unreadable. */
export function readFolderState(dataDir: string): FolderState {
  try {
    return state.parse(JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8')))
  } catch {
    return {}
  }
}

/** Atomic, and readable only by the owner: the file contains the database password. */
function writeState(path: string, content: FolderState): void {
  const unfinished = join(path, `state.json.${process.pid}`)
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, join(path, 'state.json'))
}
