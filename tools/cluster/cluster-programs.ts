import { existsSync } from 'node:fs'
import { cachedProgram, goInstall } from '../../src/local/programs.ts'
import { temporalRelease } from '../../src/local/temporal-release.ts'

/** A program that Go builds. */
type Program = { name: string; version: string; goPackage: string; label: string }

const server: Program = {
  name: 'temporal-server',
  version: temporalRelease.server,
  goPackage: 'go.temporal.io/server/cmd/server',
  label: 'Building the Temporal server for production with Go, once (about 4 minutes)',
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

/**
 * Temporal's server for production, the tool that makes its schema, and its UI, or why that one is
 * missing.
 */
export type ClusterPrograms = {
  server: string
  sqlTool: string
  ui: { file: string } | { missing: string }
}

export type ClusterSearch = {
  /** fills a file with the program of a Go package; replaced in tests */
  build?: (goPackage: string, file: string, label: string) => Promise<void>
  /** where a program of this name is kept */
  cached?: (name: string) => string
}

/**
 * The programs from the cache folder, built there once with Go where they are missing. Without the
 * server or its tool: one error that names every way to have them. The UI is not worth failing for.
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
    `${name} ${version} cannot be had here. Any one of these is enough:`,
    '  install Go 1.26 or newer; the next start then builds it once',
    `  put the program for this machine at ${cached(`${name}-${version}`)}`,
    '  run the same topology in containers: docker compose up --build',
    'Tried:',
    `  go install: ${problem}`,
  ].join('\n')
