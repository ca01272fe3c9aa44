import { expect, test } from 'vitest'
import {
  publicUrlOf,
  readApiConfig,
  readConfig,
  readLocalConfig,
  readRunConfig,
} from '../../src/config/config.ts'

test('all problems of the environment are reported at once, by name', () => {
  const env = {
    PORT: '70000',
    FEE_PCT: 'much',
    DATABASE_URL: 'mysql://x',
    TEMPORAL_ADDRESS: 'here',
  }
  const message = String(
    (() => {
      try {
        return readConfig(env)
      } catch (error) {
        return error
      }
    })(),
  )
  for (const name of Object.keys(env)) expect(message).toContain(`  ${name}: `)
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 })
})

test('a process without embedded servers names the two addresses that it needs', () => {
  expect(() => readRunConfig({ NODE_ENV: 'test', DATABASE_URL: 'postgres://x' })).toThrow(
    'DATABASE_URL and TEMPORAL_ADDRESS must be set',
  )
})

const servers = { DATABASE_URL: 'postgres://x', TEMPORAL_ADDRESS: 'x:1' }

test.each([
  'https://network.example',
  'http://network.example:3000',
  'http://203.0.114.7',
  'http://[2001:4860:4860::8888]',
])('only production runs at the public address %s', (PUBLIC_URL) => {
  for (const NODE_ENV of ['development', 'test']) {
    expect(() => readRunConfig({ ...servers, NODE_ENV, PUBLIC_URL })).toThrow(
      `PUBLIC_URL is ${PUBLIC_URL}, which others can reach, and NODE_ENV is ${NODE_ENV}.`,
    )
  }
  expect(() => readLocalConfig({ PUBLIC_URL })).toThrow('Set NODE_ENV=production')
})

test.each([
  undefined,
  'http://localhost:3000',
  'http://127.0.0.1',
  'http://[::1]:3000',
  'http://192.168.1.5:3000',
  'http://api:3000',
])('outside production the address %s is accepted', (PUBLIC_URL) => {
  const NODE_ENV = 'development'
  expect(readRunConfig({ ...servers, NODE_ENV, PUBLIC_URL }).PUBLIC_URL).toBe(PUBLIC_URL)
})

test('a key that seals secrets does not sign timelines too', () => {
  const key = 'A'.repeat(43)
  const SECRETS_KEY = `k1:${'B'.repeat(42)}A=,k2:${key}=`
  expect(() => readConfig({ SECRETS_KEY, TIMELINE_KEY: `t1:${key}=` })).toThrow(
    '  TIMELINE_KEY: must not be a key of SECRETS_KEY',
  )
  expect(() => readConfig({ SECRETS_KEY, TIMELINE_KEY: `t1:${'C'.repeat(42)}A=` })).not.toThrow()
})

test('production requires a key, and the message says how to create one', () => {
  const env = { DATABASE_URL: 'postgres://x', TEMPORAL_ADDRESS: 'x:1', NODE_ENV: 'production' }
  expect(() => readRunConfig(env)).toThrow('SECRETS_KEY must be set in production; make one with: ')
  const SECRETS_KEY = `k2:${'A'.repeat(43)}=,k1:${'B'.repeat(42)}A=`
  const PUBLIC_URL = 'https://network.example'
  expect(
    readRunConfig({ ...env, SECRETS_KEY, PUBLIC_URL }).SECRETS_KEY?.map(({ id }) => id),
  ).toEqual(['k2', 'k1'])
})

test.each([
  [undefined, false],
  ['http://network.example', false],
  ['http://127.0.0.1.example', false],
  ['http://0.0.0.0:3000', false],
  ['http://127.0.0.1:3000', true],
  ['https://network.example', true],
])('in production the public address %s is accepted: %s', (PUBLIC_URL, isTaken) => {
  const env = {
    ...{ DATABASE_URL: 'postgres://x', TEMPORAL_ADDRESS: 'x:1', NODE_ENV: 'production' },
    ...{ SECRETS_KEY: `k1:${'A'.repeat(43)}=`, PUBLIC_URL },
  }
  if (isTaken) expect(readRunConfig(env).PUBLIC_URL).toBe(PUBLIC_URL)
  else expect(() => readRunConfig(env)).toThrow('PUBLIC_URL must be set in production')
})

test('everything that an API in production lacks is reported at once', () => {
  const env = { NODE_ENV: 'production', PUBLIC_URL: 'https://network.example', PORT: 'abc' }
  const complaints = [
    'SECRETS_KEY must be set',
    'DATABASE_URL and TEMPORAL_ADDRESS must be set',
    'TIMELINE_KEY must be set for the API',
    'TRUSTED_PROXIES must list the address of the proxy',
    'PORT: must be a number',
  ]
  const lines = complaints.map((text) => `\n  ${text}.*`).join('')
  expect(() => readApiConfig(env)).toThrow(new RegExp(`not usable:${lines}$`))
})

test('the address of a service on all interfaces is one that a browser can open', () => {
  expect(publicUrlOf(readConfig({ HOST: '0.0.0.0' }))).toBe('http://127.0.0.1:3000')
})

test('an invalid SECRETS_KEY is named and not echoed', () => {
  const SECRETS_KEY = 'k1:c2hvcnQta2V5'
  expect(() => readConfig({ SECRETS_KEY })).toThrow('  SECRETS_KEY: must be id:base64-of-32-bytes')
  expect(() => readConfig({ SECRETS_KEY })).not.toThrow('c2hvcnQta2V5')
})

test('OUTBOUND_ALLOW lists hosts with ports, and refuses anything else', () => {
  const { OUTBOUND_ALLOW } = readConfig({ OUTBOUND_ALLOW: 'simulator:4000, 10.0.0.1:80,[::1]:81' })
  expect(OUTBOUND_ALLOW).toEqual(['simulator:4000', '10.0.0.1:80', '[::1]:81'])
  expect(readConfig().OUTBOUND_ALLOW).toEqual([])
  for (const list of ['simulator', 'http://simulator:4000', 'a:1/x', '*:80', 'a:1;b:2']) {
    expect(() => readConfig({ OUTBOUND_ALLOW: list })).toThrow('  OUTBOUND_ALLOW.0: must be host:')
  }
})
