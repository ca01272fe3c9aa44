import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'

const port = z.int().min(1).max(65535).optional()

const state = z.object({
  /** of the process that holds the folder */
  pid: z.int().optional(),
  /** present while that process runs with a database that is ready */
  databaseUrl: z.string().optional(),
  postgresPort: port,
  temporalPort: port,
  temporalUiPort: port,
  simulatorPort: port,
  /** of the services of `npm run cluster`'s Temporal server */
  clusterPorts: z.array(z.int()).optional(),
})
/** What is kept between starts, and what other commands need to find the running service. */
export type FolderState = z.infer<typeof state>

/** DATA_DIR, held by this process alone until `release` or its end. */
export type DataFolder = {
  path: string
  state: FolderState
  /** Changes the stored state; an undefined value removes an entry. */
  update(changes: { [K in keyof FolderState]?: FolderState[K] | undefined }): void
  release(): void
}

/**
 * Takes DATA_DIR for this process; undefined when another one has it. The lock is one of the
 * operating system's, on a SQLite file: it ends with its process, even by `kill -9`, so it can be
 * neither stale nor taken twice.
 */
export function takeDataFolder(dataDir: string): DataFolder | undefined {
  const path = resolve(dataDir)
  mkdirSync(path, { recursive: true })
  const lock = new DatabaseSync(join(path, 'lock'), { timeout: 0 })
  try {
    lock.exec('begin exclusive')
  } catch (error) {
    lock.close()
    if (/locked/.test((error as Error).message)) return undefined
    throw error
  }
  const { databaseUrl: _, ...kept } = readFolderState(path)
  const folder: DataFolder = {
    path,
    state: kept,
    update(changes) {
      folder.state = state.parse({ ...folder.state, ...changes })
      writeState(path, folder.state)
    },
    release() {
      folder.update({ pid: undefined, databaseUrl: undefined })
      lock.close()
    },
  }
  folder.update({ pid: process.pid })
  return folder
}

/** The same; throws one sentence that says what to do when another process has the folder. */
export function holdDataFolder(dataDir: string): DataFolder {
  const folder = takeDataFolder(dataDir)
  if (folder) return folder
  const { pid } = readFolderState(dataDir)
  const holder = pid ? `process ${pid}` : 'another process'
  throw new Error(
    `The data folder ${resolve(dataDir)} is in use by ${holder}. Stop that one first, or start this one with another DATA_DIR and PORT.`,
  )
}

/**
 * The stored state of a folder that may be held by another process; empty when there is none that
 * can be read.
 */
export function readFolderState(dataDir: string): FolderState {
  try {
    return state.parse(JSON.parse(readFileSync(join(dataDir, 'state.json'), 'utf8')))
  } catch {
    return {}
  }
}

/** Replaces the file as a whole, readable by its owner only: it holds the database password. */
function writeState(path: string, content: FolderState): void {
  const unfinished = join(path, `state.json.${process.pid}`)
  writeFileSync(unfinished, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, join(path, 'state.json'))
}
