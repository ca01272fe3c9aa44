import { existsSync } from 'node:fs'
import { cachedProgram } from './cache-folder.ts'
import { goInstall } from './go-install.ts'

const VERSION = '1.29.1'

/** The Temporal server for production and the tool that makes its schema. */
export type ClusterPrograms = { server: string; sqlTool: string }

/** How a Go package becomes a file; replaced in tests. */
export type Build = (goPackage: string, file: string, label: string) => Promise<void>

/**
 * Both programs from the cache folder, built there once with Go where they are missing. Throws one message that names every way to
 * have them.
 */
export async function findClusterPrograms(
  build: Build = goInstall,
  cached: (name: string) => string = cachedProgram,
): Promise<ClusterPrograms> {
  const find = async (name: string, goPackage: string, label: string) => {
    const file = cached(`${name}-${VERSION}`)
    if (existsSync(file)) return file
    await build(`${goPackage}@v${VERSION}`, file, label).catch((error: Error) => {
      throw new Error(
        [
          `The program ${name} ${VERSION} cannot be had here. Any one of these is enough:`,
          '  install Go 1.25 or newer; the next start then builds it once',
          `  put a ${name} ${VERSION} for this machine at ${file}`,
          '  run the same topology in containers: docker compose up',
          'Tried:',
          `  go install: ${error.message}`,
        ].join('\n'),
      )
    })
    return file
  }
  const server = await find(
    'temporal-server',
    'go.temporal.io/server/cmd/server',
    'Building the Temporal server for production with Go, once (about 3 minutes)',
  )
  const sqlTool = await find(
    'temporal-sql-tool',
    'go.temporal.io/server/cmd/tools/sql',
    'Building its schema tool',
  )
  return { server, sqlTool }
}
