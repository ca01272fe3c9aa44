import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withProgress } from './progress.ts'
import { runTool } from './run-tool.ts'

const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'
const MIN_GO = [1, 25] as const

/** Builds the CLI into `file` with the machine's Go, 1.25 or newer: some three minutes, once. */
export async function buildTemporal(file: string): Promise<void> {
  const version = await runTool('go', ['version'])
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(version) ?? []
  const newer = Number(major) - MIN_GO[0] || Number(minor) - MIN_GO[1]
  if (!(newer >= 0)) throw new Error(`Go 1.25 or newer is needed, and this is: ${version.trim()}`)

  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'build-'))
  try {
    await withProgress(
      'Building the Temporal server with Go, once (about 3 minutes)',
      runTool('go', ['install', MODULE], { env: { ...process.env, GOBIN: unfinished } }),
    )
    renameSync(join(unfinished, 'temporal'), file)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
