import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTimelineSigner } from '../../src/bookings/steps/timeline-signer.ts'
import { readConfig } from '../../src/config/config.ts'
import { timelineKeys } from '../../src/local/key-files.ts'
import { newSealingKey } from '../../src/platform/sealing/sealing-keys.ts'

let DATA_DIR: string
let file: string

beforeEach(() => {
  DATA_DIR = mkdtempSync(join(tmpdir(), 'timeline-key-'))
  file = join(DATA_DIR, 'timeline-key')
})

afterEach(() => rmSync(DATA_DIR, { recursive: true, force: true }))

const published = (env: Record<string, string> = {}) =>
  createTimelineSigner(timelineKeys(readConfig({ DATA_DIR, ...env }))).keys

test('a key is created once, for its owner only, and the next process publishes it', () => {
  expect(published()).toEqual(published())
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('only the public part is published', () => {
  const [key] = published()
  const [, seed = ''] = /:(.+)\n/.exec(readFileSync(file, 'utf8')) ?? []
  expect(Object.keys(key ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x'])
  expect(Buffer.from(key?.x ?? '', 'base64url')).not.toEqual(Buffer.from(seed, 'base64'))
})

test('a given TIMELINE_KEY is used, all its keys are published, and nothing is written', () => {
  const named = (id: string) => newSealingKey().replace(/^[^:]+/, id)
  const keys = published({ TIMELINE_KEY: `${named('t2')},${named('t1')}` })
  expect(keys.map(({ kid }) => kid)).toEqual(['t2', 't1'])
  expect(() => statSync(file)).toThrow('ENOENT')
})

test('production requires a key, and the message says how to create one', () => {
  expect(() => published({ NODE_ENV: 'production' })).toThrow(
    'TIMELINE_KEY must be set for the API in production; make one with: echo "k1:',
  )
})

test('a file without a valid key is kept and named, and its text is not echoed', () => {
  writeFileSync(file, 'half-a-key')
  expect(() => published()).toThrow(`${file} does not hold a key. Put it back from a backup`)
  expect(() => published()).not.toThrow('half-a-key')
})
