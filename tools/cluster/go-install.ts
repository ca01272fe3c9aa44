import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { keepProgram, runTool } from '../../src/local/programs.ts'
import { withProgress } from '../../src/local/progress.ts'

const MIN_GO = [1, 25] as const

/** Builds the program of a Go package (`module/path@version`) with Go 1.25 or newer. */
export async function goInstall(goPackage: string, file: string, label: string): Promise<void> {
  const version = await runTool('go', ['version'])
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(version) ?? []
  const newer = Number(major) - MIN_GO[0] || Number(minor) - MIN_GO[1]
  if (!(newer >= 0)) throw new Error(`Go 1.25 or newer is needed, and this is: ${version.trim()}`)
  await keepProgram(file, async (folder) => {
    // Without C, the program also runs in an image with an older C library.
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }
    await withProgress(label, runTool('go', ['install', goPackage], { env }))
    const [program = ''] = readdirSync(folder)
    return join(folder, program)
  })
}
