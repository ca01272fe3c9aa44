import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTemporalCli, type TemporalSource } from '../../src/local/temporal-cli.ts'

let folder: string
let cached: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-cli-'))
  cached = join(folder, 'cache', 'temporal')
  path = `${join(folder, 'nothing-here')}:${join(folder, 'path')}`
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fakeCli(file: string, version: string, mode = 0o755): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho "temporal version 1.0.0 (${version})"\n`, { mode })
  return file
}

const source = (name: string, fetch: TemporalSource['fetch']): TemporalSource => ({ name, fetch })
const unavailable = (name: string) =>
  source(name, async () => {
    throw new Error(`no ${name} here`)
  })

test('TEMPORAL_CLI is taken before everything else', async () => {
  const chosen = fakeCli(join(folder, 'mine'), 'Server 1.30.0, UI 2')
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.31.0')
  expect(await findTemporalCli({ chosen, path, cached, sources: [] })).toBe(chosen)
})

test('a TEMPORAL_CLI that cannot be used is an error, whatever else there is', async () => {
  fakeCli(cached, 'Server 1.31.0')
  const old = fakeCli(join(folder, 'old'), 'Server 1.27.9')
  await expect(findTemporalCli({ chosen: old, path, cached, sources: [] })).rejects.toThrow(
    `TEMPORAL_CLI=${old} cannot be used: its server is 1.27, and 1.28 is needed.`,
  )
  const missing = join(folder, 'missing')
  await expect(findTemporalCli({ chosen: missing, path, cached, sources: [] })).rejects.toThrow(
    `TEMPORAL_CLI=${missing} cannot be used`,
  )
})

test('`temporal` on PATH is taken before the cached copy', async () => {
  const onPath = fakeCli(join(folder, 'path', 'temporal'), 'Server 1.28.0')
  fakeCli(cached, 'Server 1.31.0')
  expect(await findTemporalCli({ path, cached, sources: [] })).toBe(onPath)
})

test.each(['Server 1.27.2', 'Server 0.99.0', 'no server at all'])(
  '`temporal` on PATH with "%s" is passed over for the cached copy',
  async (version) => {
    fakeCli(join(folder, 'path', 'temporal'), version)
    fakeCli(cached, 'Server 2.0.0')
    expect(await findTemporalCli({ path, cached, sources: [] })).toBe(cached)
  },
)

test('a file on PATH that is not executable is passed over', async () => {
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.31.0', 0o644)
  fakeCli(cached, 'Server 1.29.1')
  expect(await findTemporalCli({ path, cached, sources: [] })).toBe(cached)
})

test('without any copy the sources are tried in order until one delivers', async () => {
  const asked: string[] = []
  const delivers = source('builder', async (file) => {
    asked.push('builder')
    fakeCli(file, 'Server 1.29.1')
  })
  const neverAsked = source('other', async () => {
    asked.push('other')
  })
  const sources = [unavailable('network'), delivers, neverAsked]
  expect(await findTemporalCli({ path, cached, sources })).toBe(cached)
  expect(await findTemporalCli({ path, cached, sources: [] })).toBe(cached)
  expect(asked).toEqual(['builder'])
})

test('when nothing works the message names every way and why the tried ones failed', async () => {
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.20.0')
  const search = { path, cached, sources: [unavailable('network'), unavailable('Go')] }
  const message = await findTemporalCli(search).catch((error: Error) => error.message)
  for (const part of [
    'on PATH',
    'TEMPORAL_CLI=',
    'TEMPORAL_ADDRESS=',
    'Go 1.25',
    'its server is 1.20',
    'no network here',
    'no Go here',
  ]) {
    expect(message).toContain(part)
  }
})
