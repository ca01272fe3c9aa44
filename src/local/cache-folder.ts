import { homedir } from 'node:os'
import { join } from 'node:path'

/** The path of a program in the user's cache folder, where one that was downloaded or built is kept for all projects and runs. */
export const cachedProgram = (name: string): string =>
  join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'venue-network', 'bin', name)
