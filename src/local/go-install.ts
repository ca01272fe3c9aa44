import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withProgress } from './progress.ts'
import { runTool } from './run-tool.ts'

const MIN_GO = [1, 25] as const

/**
 * Builds the one program of a Go package (`module/path@version`) into `file` with the machine's Go, 1.25 or newer. `file` is
 * complete or absent.
 */
export async function goInstall(goPackage: string, file: string, label: string): Promise<void> {
  await requireGo()
  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'build-'))
  try {
    await withProgress(
      label,
      runTool('go', ['install', goPackage], { env: { ...process.env, GOBIN: unfinished } }),
    )
    const [program = ''] = readdirSync(unfinished)
    renameSync(join(unfinished, program), file)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

async function requireGo(): Promise<void> {
  const version = await runTool('go', ['version'])
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(version) ?? []
  const newer = Number(major) - MIN_GO[0] || Number(minor) - MIN_GO[1]
  if (!(newer >= 0)) throw new Error(`Go 1.25 or newer is needed, and this is: ${version.trim()}`)
}
