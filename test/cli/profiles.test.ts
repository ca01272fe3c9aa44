import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openProfiles, type Profiles } from '../../packages/cli/profiles.ts'
import { readSettings } from '../../packages/cli/settings.ts'
import { findTarget, keyFor } from '../../packages/cli/target.ts'

const key = `service_live_${'k'.repeat(43)}`
const other = `service_live_${'o'.repeat(43)}`
let folder: string
let file: string
let profiles: Profiles
let warned: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-profiles-'))
  file = readSettings({ XDG_CONFIG_HOME: folder }).profileFile
  warned = []
  profiles = openProfiles(file, (text) => warned.push(text))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('profiles share a file that only its owner can read', async () => {
  await profiles.save('default', { url: 'http://a', key })
  await profiles.save('staging', { url: 'https://b', key: other })
  expect(await profiles.find('default')).toEqual({ url: 'http://a', key })
  expect(await profiles.names()).toEqual(['default', 'staging'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(dirname(file)).mode & 0o777).toBe(0o700)
  expect(readdirSync(dirname(file))).toEqual(['profiles.json'])
  expect([await profiles.remove('staging'), await profiles.remove('staging')]).toEqual([
    true,
    false,
  ])
  expect(readFileSync(file, 'utf8')).not.toContain(other)
})

test('a file that others can read is reported, and protected by the next login', async () => {
  await profiles.save('default', { url: 'http://a', key })
  chmodSync(file, 0o644)
  await profiles.find('default')
  expect(warned).toEqual([`Others on this machine can read your keys: chmod 600 ${file}`])
  await profiles.save('default', { url: 'http://a', key })
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('two concurrent logins are both stored', async () => {
  const another = openProfiles(file, () => {})
  const names = Array.from({ length: 10 }, (_, index) => `p${index}`)
  const save = (name: string, index: number) =>
    (index % 2 ? profiles : another).save(name, { url: 'http://a', key })
  await Promise.all(names.map(save))
  expect((await profiles.names()).sort()).toEqual(names)
  expect(readdirSync(dirname(file))).toEqual(['profiles.json'])
})

test('a symlinked file stays a link, and its target is written', async () => {
  const real = join(folder, 'dotfiles.json')
  writeFileSync(real, '{"profiles": {}}', { mode: 0o600 })
  mkdirSync(dirname(file), { recursive: true })
  symlinkSync(real, file)
  await profiles.save('default', { url: 'http://a', key })
  expect(lstatSync(file).isSymbolicLink()).toBe(true)
  expect(readFileSync(real, 'utf8')).toContain(key)
})

test('a failing disk is reported, and so is a leftover lock', async () => {
  const save = () => profiles.save('default', { url: 'http://a', key })
  symlinkSync(join(folder, 'gone', 'deeper'), dirname(file))
  await expect(save()).rejects.toThrow(/profiles\.json cannot be written \(E[A-Z]+\)/)
  rmSync(dirname(file))
  mkdirSync(dirname(file))
  writeFileSync(`${file}.lock`, '')
  await expect(save()).rejects.toThrow(`If not, delete ${file}.lock.`)
})

test('a broken file is not mistaken for an empty one', async () => {
  await profiles.save('default', { url: 'http://a', key })
  writeFileSync(file, '{"profiles": {"default": {}}}')
  await expect(profiles.find('default')).rejects.toThrow('is not a profile file')
  await expect(profiles.save('x', { url: 'http://a', key })).rejects.toThrow(
    'is not a profile file',
  )
})

test('options override the environment, which overrides the profile', async () => {
  await profiles.save('default', { url: 'http://stored', key })
  await profiles.save('staging', { url: 'http://staging', key })
  const bare = readSettings({ XDG_CONFIG_HOME: folder })
  const set = { ...bare, url: 'http://environment/' }
  const urlOf = async (wanted: { url?: string; profile?: string }, settings = bare) =>
    (await findTarget(wanted, settings, profiles)).url
  expect(await urlOf({})).toBe('http://stored')
  expect(await urlOf({ profile: 'staging' })).toBe('http://staging')
  expect(await urlOf({}, set)).toBe('http://environment')
  expect(await urlOf({ url: 'http://said:8080/network/' }, set)).toBe('http://said:8080/network')
  expect(await urlOf({ profile: 'new' })).toBe('http://127.0.0.1:3000')
  await expect(urlOf({ url: 'file:///etc/passwd' })).rejects.toThrow('is not a URL')
  await expect(urlOf({ url: 'http://user:pw@a' })).rejects.toThrow('is not a URL')
})

test('an explicit profile overrides the environment, whose key has another address', async () => {
  await profiles.save('staging', { url: 'http://staging', key })
  const bare = readSettings({ XDG_CONFIG_HOME: folder })
  const set = { ...bare, url: 'http://production', key: other }
  const found = await findTarget({ profile: 'staging' }, set, profiles)
  expect([found.url, keyFor(found, found.key, 'p')]).toEqual(['http://staging', key])
  const unnamed = await findTarget({}, { ...set, profile: 'staging' }, profiles)
  expect([unnamed.url, keyFor(unnamed, unnamed.key, 'p')]).toEqual(['http://production', other])
  const unknown = await findTarget({ profile: 'new' }, set, profiles)
  expect(() => keyFor(unknown, unknown.key, 'p')).toThrow('There is no key for http://production')
})

test('the key of a profile is sent only to its own address', async () => {
  await profiles.save('default', { url: 'http://stored', key })
  const settings = readSettings({ XDG_CONFIG_HOME: folder })
  const stored = await findTarget({}, settings, profiles)
  expect(keyFor(stored, undefined, 'p')).toBe(key)
  expect(keyFor(stored, other, 'p')).toBe(other)
  const elsewhere = await findTarget({ url: 'http://elsewhere' }, settings, profiles)
  expect(() => keyFor(elsewhere, undefined, 'p')).toThrow('is not sent to http://elsewhere')
  const none = await findTarget({ profile: 'none' }, settings, profiles)
  expect(() => keyFor(none, undefined, 'p')).toThrow('p login --profile none --url')
  expect(() => keyFor(none, 'a mistyped secret', 'p')).toThrow(/^(?!.*mistyped).*[Nn]ot an API key/)
})
