import { chmod, mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { UsageError } from '../../src/platform/command-line/usage-error.ts'
import { withLock } from './lock-file.ts'

/** A URL and its key, which is sent nowhere else. */
export type Profile = { url: string; key: string }

export const DEFAULT_PROFILE = 'default'
export const profileName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

/** The profile file: keys by name, readable only by its owner. */
export type Profiles = {
  file: string
  find(name: string): Promise<Profile | undefined>
  names(): Promise<string[]>
  save(name: string, profile: Profile): Promise<void>
  /** Returns whether the profile existed. */
  remove(name: string): Promise<boolean>
}

/** Profiles in a file that need not exist. Calls `warn` when others can read it. */
export function openProfiles(file: string, warn: (text: string) => void): Profiles {
  const load = () => readProfiles(file, warn)
  return {
    file,
    find: async (name) => (await load()).get(name),
    names: async () => [...(await load()).keys()],
    save: (name, profile) =>
      toChange(file, async () => writeProfiles(file, (await load()).set(name, profile))),
    remove: (name) =>
      toChange(file, async () => {
        const profiles = await load()
        const isKnown = profiles.delete(name)
        if (isKnown) await writeProfiles(file, profiles)
        return isKnown
      }),
  }
}

async function readProfiles(file: string, warn: (text: string) => void) {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read (${error.code}).`)
  })
  if (text === undefined) return new Map<string, Profile>()
  if (process.platform !== 'win32' && ((await stat(file)).mode & 0o077) !== 0) {
    warn(`Others on this machine can read your keys: chmod 600 ${file}`)
  }
  const profiles = parse(text)
  if (!profiles) {
    throw new UsageError(`${file} is not a profile file. Move it away and log in again.`)
  }
  return profiles
}

function parse(text: string): Map<string, Profile> | undefined {
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, Profile> }
    const isGood = Object.values(profiles).every(
      ({ url, key }) => typeof url === 'string' && typeof key === 'string',
    )
    return isGood ? new Map(Object.entries(profiles)) : undefined
  } catch {
    return undefined
  }
}

/** Reads and writes under a lock. File system errors become `UsageError`. */
async function toChange<T>(file: string, work: () => Promise<T>): Promise<T> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    return await withLock(`${file}.lock`, work)
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}). Nothing was changed.`,
    )
  }
}

/** Replaces the file atomically, following a symbolic link. */
async function writeProfiles(file: string, profiles: Map<string, Profile>): Promise<void> {
  const place = await realpath(file).catch(() => file)
  const next = `${place}.${process.pid}`
  const text = JSON.stringify({ profiles: Object.fromEntries(profiles) }, null, 2)
  await writeFile(next, `${text}\n`, { mode: 0o600 })
  await chmod(next, 0o600)
  await rename(next, place)
}
