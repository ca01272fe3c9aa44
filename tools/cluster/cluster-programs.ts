import { existsSync } from 'node:fs'
import { cachedProgram } from '../../src/local/programs.ts'
import { temporalRelease } from '../../src/local/temporal-release.ts'
import { goInstall } from './go-install.ts'

/** A program built with Go. */
type Program = { name: string; version: string; goPackage: string; label: string }

const server: Program = {
  name: 'temporal-server',
  version: temporalRelease.server,
  goPackage: 'go.temporal.io/server/cmd/server',
  label: 'Building the production Temporal server with Go, once (about 4 minutes)',
}
const sqlTool: Program = {
  name: 'temporal-sql-tool',
  version: temporalRelease.server,
  goPackage: 'go.temporal.io/server/cmd/tools/sql',
  label: 'Building its schema tool, once',
}
const ui: Program = {
  name: 'temporal-ui',
  version: temporalRelease.ui,
  goPackage: 'github.com/temporalio/ui-server/v2/cmd/server',
  label: 'Building the Temporal UI, once (about a minute)',
}

/** The production Temporal server, its schema tool, and the UI, or why the UI is missing. */
export type ClusterPrograms = {
  server: string
  sqlTool: string
  ui: { file: string } | { missing: string }
}

export type ClusterSearch = {
  /** builds a Go package into a file; replaced in tests */
  build?: (goPackage: string, file: string, label: string) => Promise<void>
  /** cache path of a program */
  cached?: (name: string) => string
}

/**
 * Finds the programs in the cache folder, or builds them there with Go. Throws one error that lists
 * every way to get a missing server or tool; a missing UI is not an error.
 */
export async function findClusterPrograms({
  build = goInstall,
  cached = cachedProgram,
}: ClusterSearch = {}): Promise<ClusterPrograms> {
  const find = async ({ name, version, goPackage, label }: Program) => {
    const file = cached(`${name}-${version}`)
    if (!existsSync(file)) await build(`${goPackage}@v${version}`, file, label)
    return file
  }
  const required = (program: Program) =>
    find(program).catch((error: Error) => {
      throw new Error(waysToHave(program, cached, error.message))
    })
  return {
    server: await required(server),
    sqlTool: await required(sqlTool),
    ui: await find(ui).then(
      (file) => ({ file }),
      (error: Error) => ({ missing: error.message }),
    ),
  }
}

const waysToHave = (
  { name, version }: Program,
  cached: (name: string) => string,
  problem: string,
) =>
  [
    `${name} ${version} is missing and could not be built. Any one of these helps:`,
    '  install Go 1.26 or newer; the next start then builds it',
    `  put the program for this machine at ${cached(`${name}-${version}`)}`,
    '  run the same topology in containers: docker compose up --build',
    'Tried:',
    `  go install: ${problem}`,
  ].join('\n')
