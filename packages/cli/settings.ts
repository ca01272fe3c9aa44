import { homedir } from 'node:os'
import { join } from 'node:path'

/** Settings from the environment, which only this file reads. */
export type Settings = {
  /**
   * from VENUE_NETWORK_URL, VENUE_NETWORK_KEY and VENUE_NETWORK_PROFILE; undefined where not set
   */
  url: string | undefined
  key: string | undefined
  profile: string | undefined
  /** written by `login` */
  profileFile: string
  /** false with NO_COLOR (no-color.org) and on a terminal without colours */
  isColourful: boolean
  /** how this program is invoked, for suggested commands */
  program: string
}

/** Reads the environment once; an empty variable counts as unset. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const configFolder = env.XDG_CONFIG_HOME || join(homedir(), '.config')
  return {
    url: env.VENUE_NETWORK_URL || undefined,
    key: env.VENUE_NETWORK_KEY || undefined,
    profile: env.VENUE_NETWORK_PROFILE || undefined,
    profileFile: join(configFolder, 'venue-network', 'profiles.json'),
    isColourful: !env.NO_COLOR && env.TERM !== 'dumb',
    program: isNpmRun(env) ? 'npm run cli --' : 'venue-network',
  }
}

/** `npm run cli` in a clone of the project. */
const isNpmRun = (env: Record<string, string | undefined>): boolean =>
  env.npm_lifecycle_event === 'cli' && env.npm_package_name === 'venue-network'
