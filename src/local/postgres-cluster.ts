import { randomBytes } from 'node:crypto'
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { canEnter, openSharedFolder, SHARED_FOLDER } from './postgres-programs.ts'
import { runTool } from './programs.ts'
import type { ProcessUser } from './server-process.ts'

/** A database cluster on disk, ready for a server, and its superuser's password. */
export type Cluster = { data: string; password: string }

/** A data folder's cluster, created if missing; starts an interrupted `initdb` afresh. */
export async function openCluster(
  dataDir: string,
  bin: string,
  user: ProcessUser | undefined,
): Promise<Cluster> {
  const home = clusterHome(dataDir, user)
  const data = join(home, 'data')
  const passwordFile = join(home, 'password')
  if (!existsSync(data)) {
    const unfinished = join(home, 'unfinished')
    rmSync(unfinished, { recursive: true, force: true })
    writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
    if (user) chownSync(passwordFile, user.uid, user.gid)
    await initdb(bin, unfinished, passwordFile, user)
    renameSync(unfinished, data)
  }
  return { data, password: readFileSync(passwordFile, 'utf8') }
}

/** `DATA_DIR/postgres`, which may be a link to a folder that `user` can reach. */
function clusterHome(dataDir: string, user: ProcessUser | undefined): string {
  const home = join(dataDir, 'postgres')
  if (!existsSync(home)) {
    if (user && !canEnter(user, dataDir)) linkToSharedFolder(home)
    else mkdirSync(home, { mode: 0o700 })
  }
  if (!user) return home
  const real = realpathSync(home)
  chownSync(real, user.uid, user.gid)
  if (canEnter(user, real)) return real
  throw new Error(
    `PostgreSQL runs as the user \`postgres\`, who cannot enter ${real}. Make the folders ` +
      'above it traversable (chmod a+x), or choose another DATA_DIR.',
  )
}

function linkToSharedFolder(home: string): void {
  openSharedFolder()
  rmSync(home, { force: true })
  symlinkSync(mkdtempSync(join(SHARED_FOLDER, 'data-')), home)
}

/** Creates a cluster in UTF-8, whatever the environment's locale, that requires a password. */
async function initdb(
  bin: string,
  data: string,
  passwordFile: string,
  user: ProcessUser | undefined,
): Promise<void> {
  const args = [
    `--pgdata=${data}`,
    '--username=postgres',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ]
  const env = { PATH: process.env.PATH }
  try {
    await runTool(join(bin, 'initdb'), args, { env, user })
  } catch (error) {
    throw new Error(`PostgreSQL could not prepare ${data}: ${(error as Error).message}`)
  }
}
