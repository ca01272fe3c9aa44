import { chmodSync, existsSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 2 * 1024 ** 3

/**
 * A new folder that every user can enter, in memory if there is room: a run copies
 * hundreds of databases of 800 files each, which takes eight times as long on a disk.
 */
export function makeScratchFolder(prefix: string): string {
  const folder = mkdtempSync(join(hasRoom(MEMORY) ? MEMORY : tmpdir(), prefix))
  chmodSync(folder, 0o755)
  return folder
}

function hasRoom(path: string): boolean {
  if (!existsSync(path)) return false
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize >= MIN_FREE_BYTES
}
