import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import { secretsKeys } from '../../src/local/key-files.ts'
import { createSealer } from '../../src/platform/sealing/sealing.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'

let DATA_DIR: string
let file: string

beforeEach(() => {
  DATA_DIR = join(mkdtempSync(join(tmpdir(), 'secrets-key-')), 'data')
  file = join(DATA_DIR, 'secrets-key')
})

afterEach(() => rmSync(join(DATA_DIR, '..'), { recursive: true, force: true }))

const sealer = (env: Record<string, string> = {}) =>
  createSealer(secretsKeys(readConfig({ DATA_DIR, ...env })))

test('a key is created once, readable by its owner only, and reused by the next process', () => {
  const sealed = sealer().seal('secret', 'row')
  expect(sealer().open(sealed, 'row')).toBe('secret')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(/^local-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=\n$/)
})

test('a given SECRETS_KEY is used, and nothing is written', () => {
  expect(sealer({ SECRETS_KEY: newSealingKey().replace(/^[^:]+/, 'mine') }).keyIds).toEqual([
    'mine',
  ])
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('production requires a key, and the message says how to create one', () => {
  expect(() => sealer({ NODE_ENV: 'production' })).toThrow(
    'SECRETS_KEY must be set in production; make one with: echo "k1:$(openssl rand -base64 32)"',
  )
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('a file without a valid key is kept and named, but not echoed', () => {
  sealer()
  writeFileSync(file, 'half-a-key')
  expect(() => sealer()).toThrow(`${file} does not hold a key. Put it back from a backup`)
  expect(() => sealer()).not.toThrow('half-a-key')
  expect(readFileSync(file, 'utf8')).toBe('half-a-key')
})
