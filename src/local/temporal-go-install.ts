import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withProgress } from './progress.ts'

const MODULE = 'github.com/temporalio/cli/cmd/temporal@v1.5.1'
const MIN_GO = [1, 25] as const

/** Builds the CLI into `file` with the machine's Go, 1.25 or newer: some three minutes, once. */
export async function buildTemporal(file: string): Promise<void> {
  const version = await run('go', ['version'])
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(version) ?? []
  const newer = Number(major) - MIN_GO[0] || Number(minor) - MIN_GO[1]
  if (!(newer >= 0)) throw new Error(`Go 1.25 or newer is needed, and this is: ${version.trim()}`)

  const folder = dirname(file)
  mkdirSync(folder, { recursive: true })
  const unfinished = mkdtempSync(join(folder, 'build-'))
  try {
    await withProgress(
      'Building the Temporal server with Go, once (about 3 minutes)',
      run('go', ['install', MODULE], { GOBIN: unfinished }),
    )
    renameSync(join(unfinished, 'temporal'), file)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** The program's output; when it fails, an error with the end of what it said. It ends when we end. */
async function run(program: string, args: string[], env = {}): Promise<string> {
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => void child.kill('SIGKILL')
  process.once('exit', kill)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  try {
    const [code] = await once(child, 'close')
    if (code !== 0) throw new Error(output.trim().split('\n').slice(-3).join(' / '))
    return output
  } finally {
    process.off('exit', kill)
  }
}
