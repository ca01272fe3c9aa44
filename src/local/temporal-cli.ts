import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { cachedProgram } from './cache-folder.ts'
import { downloadTemporal } from './temporal-download.ts'
import { buildTemporal } from './temporal-go-install.ts'

/**
 * A way of getting a CLI into a file: it fills the file completely or throws a sentence that says
 * why not.
 */
export type TemporalSource = { name: string; fetch(file: string): Promise<void> }

export type TemporalSearch = {
  /** TEMPORAL_CLI: used, or an error; nothing else is tried then */
  chosen?: string | undefined
  path?: string | undefined
  /** the copy of an earlier run, and where a new one goes */
  cached?: string
  sources?: TemporalSource[]
}

const MIN_SERVER = [1, 28] as const

/**
 * The Temporal CLI of this machine, whose server must be 1.28 or newer: TEMPORAL_CLI, `temporal` on
 * PATH, the copy cached by an earlier run, then the sources, in this order. Throws one message that
 * names all the ways and why the tried ones failed.
 */
export async function findTemporalCli({
  chosen,
  path = process.env.PATH,
  cached = cachedProgram('temporal'),
  sources = [
    { name: 'download', fetch: downloadTemporal },
    { name: 'go install', fetch: buildTemporal },
  ],
}: TemporalSearch = {}): Promise<string> {
  if (chosen) {
    const problem = await problemOf(chosen)
    if (problem) throw new Error(`TEMPORAL_CLI=${chosen} cannot be used: ${problem}.`)
    return chosen
  }
  const tried: string[] = []
  const onPath = findOnPath('temporal', path ?? '')
  for (const file of [onPath, cached]) {
    if (!file || !isExecutable(file)) continue
    const problem = await problemOf(file)
    if (!problem) return file
    tried.push(`${file}: ${problem}`)
  }
  for (const source of sources) {
    try {
      await source.fetch(cached)
      const problem = await problemOf(cached)
      if (!problem) return cached
      tried.push(`${source.name}: ${problem}`)
    } catch (error) {
      tried.push(`${source.name}: ${(error as Error).message}`)
    }
  }
  throw new Error(
    [
      'No Temporal server can be had here. Any one of these is enough:',
      '  install the Temporal CLI (https://docs.temporal.io/cli), so that `temporal` is on PATH',
      '  TEMPORAL_CLI=/path/to/temporal, a CLI whose server is 1.28 or newer',
      '  TEMPORAL_ADDRESS=host:port, a server that runs already',
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
