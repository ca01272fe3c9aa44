import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTemporalCli, type TemporalSource } from '../../src/local/temporal-cli.ts'

let folder: string
let kept: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'temporal-cli-'))
  kept = join(folder, 'cache', 'temporal')
  path = `${join(folder, 'nothing-here')}:${join(folder, 'path')}`
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function fakeCli(file: string, version: string, mode = 0o755): string {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `#!/bin/sh\necho "temporal version 1.0.0 (${version})"\n`, { mode })
  return file
}

const asked: string[] = []

beforeEach(() => void asked.splice(0))

/** A source that installs a CLI of this server version, or fails. */
const source = (name: string, version?: string, file = kept): TemporalSource => ({
  name,
  file,
  async fetch(wanted) {
    asked.push(name)
    if (!version) throw new Error(`no ${name} here`)
    fakeCli(wanted, version)
  },
})

test('TEMPORAL_CLI comes first', async () => {
  const chosen = fakeCli(join(folder, 'mine'), 'Server 1.30.0, UI 2')
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.31.0')
  expect(await findTemporalCli({ chosen, path, sources: [source('network')] })).toBe(chosen)
})

test('an unusable TEMPORAL_CLI is an error, whatever else exists', async () => {
  fakeCli(kept, 'Server 1.31.0')
  const sources = [source('network', 'Server 1.32.0')]
  const old = fakeCli(join(folder, 'old'), 'Server 1.27.9')
  await expect(findTemporalCli({ chosen: old, path, sources })).rejects.toThrow(
    `TEMPORAL_CLI=${old} cannot be used: its server is 1.27, and 1.28 is needed.`,
  )
  const missing = join(folder, 'missing')
  await expect(findTemporalCli({ chosen: missing, path, sources })).rejects.toThrow(
    `TEMPORAL_CLI=${missing} cannot be used`,
  )
  expect(asked).toEqual([])
})

test('`temporal` on PATH comes before the kept copy of an earlier run', async () => {
  const onPath = fakeCli(join(folder, 'path', 'temporal'), 'Server 1.28.0')
  fakeCli(kept, 'Server 1.31.0')
  expect(await findTemporalCli({ path, sources: [source('network')] })).toBe(onPath)
})

test.each(['Server 1.27.2', 'Server 0.99.0', 'no server at all'])(
  '`temporal` on PATH with "%s" is skipped for the kept copy',
  async (version) => {
    fakeCli(join(folder, 'path', 'temporal'), version)
    fakeCli(kept, 'Server 2.0.0')
    expect(await findTemporalCli({ path, sources: [source('network')] })).toBe(kept)
  },
)

test('a non-executable file on PATH is skipped', async () => {
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.31.0', 0o644)
  fakeCli(kept, 'Server 1.29.1')
  expect(await findTemporalCli({ path, sources: [source('network')] })).toBe(kept)
})

test('without any copy the sources are tried in order until one works', async () => {
  const sources = [source('network'), source('builder', 'Server 1.29.1'), source('other')]
  expect(await findTemporalCli({ path, sources })).toBe(kept)
  expect(await findTemporalCli({ path, sources })).toBe(kept)
  expect(asked).toEqual(['network', 'builder'])
})

test('what the last source built is found before the first source is tried again', async () => {
  const built = fakeCli(join(folder, 'cache', 'built'), 'Server 1.29.1')
  const sources = [source('network', 'Server 1.32.0'), source('builder', undefined, built)]
  expect(await findTemporalCli({ path, sources })).toBe(built)
  expect(asked).toEqual([])
})

test('a kept copy that does not run is replaced', async () => {
  mkdirSync(dirname(kept), { recursive: true })
  writeFileSync(kept, '\x7fELF, and then the disk was full', { mode: 0o755 })
  const sources = [source('network', 'Server 1.32.0')]
  expect(await findTemporalCli({ path, sources })).toBe(kept)
  expect(await findTemporalCli({ path, sources })).toBe(kept)
  expect(asked).toEqual(['network'])
})

test('when nothing works the message lists every way and why the tried ones failed', async () => {
  fakeCli(join(folder, 'path', 'temporal'), 'Server 1.20.0')
  const search = { path, sources: [source('network'), source('wheel')] }
  const message = await findTemporalCli(search).catch((error: Error) => error.message)
  for (const part of [
    'on PATH',
    'TEMPORAL_CLI=',
    'TEMPORAL_ADDRESS=',
    'pip or uv',
    'its server is 1.20',
    'no network here',
    'no wheel here',
  ]) {
    expect(message).toContain(part)
  }
})
