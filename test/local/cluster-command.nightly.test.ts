import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import { startProgram } from '../support/programs.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-command-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function run(env: Record<string, string>, args: string[] = []) {
  const DATA_DIR = join(folder, 'data')
  const program = startProgram('tools/cluster/main.ts', { DATA_DIR, ...env }, args)
  await once(program.process, 'close')
  return { code: program.process.exitCode, said: program.output() }
}

test('--help says what it starts and what it needs', async () => {
  const { code, said } = await run({}, ['--help'])
  expect(code).toBe(0)
  for (const part of ['npm run cluster -- --test', 'Go 1.26', 'DATA_DIR']) {
    expect(said).toContain(part)
  }
})

test('an unknown option is answered with the nearest one', async () => {
  const { code, said } = await run({}, ['--tset'])
  expect(code).toBe(2)
  expect(said).toContain('There is no option --tset. Did you mean --test?')
})

test('--containers without an engine says how to have one, before it starts anything', async () => {
  const { code, said } = await run({ DOCKER_HOST: `unix://${folder}/none` }, ['--containers'])
  expect(code).toBe(1)
  for (const part of ['No container engine answers', 'Docker Engine', '--stand-ins']) {
    expect(said).toContain(part)
  }
})

test('a port in use is one message before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const { code, said } = await run({ PORT: String(port) })
  expect([code, said.trim().split('\n').length]).toEqual([1, 1])
  expect(said).toContain(`Port ${port} on 127.0.0.1 is taken`)
  expect(readdirSync(folder)).toEqual([])
  other.close()
})

test('without the programs and Go nothing starts, and ways to get them are listed', async () => {
  const PORT = String(await choosePort())
  const { code, said } = await run({ PORT, PATH: folder, XDG_CACHE_HOME: folder })
  expect(code).toBe(1)
  expect(said).toContain('temporal-server 1.32.0 is missing and could not be built')
  expect(said).toContain('docker compose up')
  expect(said).not.toMatch(/^\s+at /m)
  expect(existsSync(join(folder, 'data/cluster/postgres'))).toBe(false)
})
