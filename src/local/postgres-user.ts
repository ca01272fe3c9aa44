import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync } from 'node:fs'
import type { ProcessUser } from './server-process.ts'

/** Where root keeps what the user `postgres` must reach and cannot reach in a private home. */
export const SHARED_FOLDER = '/var/lib/venue-network'

/** Makes it, open for every user whatever the umask. */
export function openSharedFolder(): void {
  mkdirSync(SHARED_FOLDER, { recursive: true })
  chmodSync(SHARED_FOLDER, 0o755)
}

/**
 * PostgreSQL refuses to run as root: then it runs as the user `postgres`, made if missing.
 * Otherwise as us: undefined.
 */
export function postgresUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = lookUp()
  if (user) return user
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/bin/false', 'postgres'])
  const made = lookUp()
  if (made) return made
  throw new Error(
    'PostgreSQL does not run as root, and the user `postgres` could not be made. Start as another user, make that user, or set DATABASE_URL.',
  )
}

function lookUp(): ProcessUser | undefined {
  const id = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
  try {
    return { uid: id('-u'), gid: id('-g') }
  } catch {
    return undefined
  }
}

/** Whether that user gets through every folder above the program and may start it. */
export function canRun(user: ProcessUser, program: string): boolean {
  return spawnSync(program, ['--version'], { ...user, cwd: '/' }).status === 0
}

/** Whether that user gets into a folder. */
export function canEnter(user: ProcessUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0
}
