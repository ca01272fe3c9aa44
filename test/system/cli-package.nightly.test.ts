import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCli } from '../support/cli.ts'
import { type Doors, type Holder, openDoors } from '../support/open-doors.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')

/** The environment of a stranger to the project: only the machine's Node, if it has one. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter)

let folder: string
let doors: Doors
let holder: Holder
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-package-'))
  doors = await openDoors()
  holder = await doors.openAccount('free')
  // Twice, because the second once found nothing to compile and packed nothing.
  for (let packed = 0; packed < 2; packed += 1) {
    await run('npm', ['pack', './packages/cli', '--pack-destination', folder], { cwd: root })
  }
  const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8'))
  const tarball = join(folder, `venue-network-cli-${version}.tgz`)
  const env = { ...process.env, PATH }
  const install = [
    'install',
    '--global',
    '--offline',
    '--prefix',
    join(folder, 'installed'),
    tarball,
  ]
  await run('npm', install, { cwd: folder, env })
})
afterAll(async () => {
  await doors?.close()
  rmSync(folder, { recursive: true, force: true })
})

const installed = (...args: string[]) => {
  const env = { PATH, VENUE_NETWORK_URL: doors.url, VENUE_NETWORK_KEY: holder.key }
  return runCli(args, env, { program: [join(folder, 'installed/bin/venue-network')] })
}

test('the packed command line runs on the machine’s Node and on 24, without packages', async () => {
  const help = await installed('--help')
  expect([help.code, help.stderr]).toEqual([0, ''])
  expect(help.stdout).toContain('  venue-network COMMAND')
  const found = await installed('search', 'sushi', '--json')
  expect([found.code, found.stderr]).toEqual([0, ''])
  expect(found.json()).toHaveProperty('interpretation')
  const bin = join(folder, 'installed/bin/venue-network')
  const env = { PATH, VENUE_NETWORK_URL: doors.url, VENUE_NETWORK_KEY: holder.key }
  const newer = await runCli(['whoami'], env, { program: [process.execPath, bin] })
  expect([newer.code, newer.stdout]).toEqual([0, expect.stringContaining(doors.url)])
  const modules = join(folder, 'installed/lib/node_modules')
  expect(existsSync(join(modules, 'venue-network-cli/node_modules'))).toBe(false)
  const { stdout } = await run('ls', [modules])
  expect(stdout.trim()).toBe('venue-network-cli')
})

test('bash completes commands, options and their values', async () => {
  const { stdout: script } = await installed('completion', 'bash')
  const complete = async (...words: string[]) => {
    const ask = `${script}
COMP_WORDS=(venue-network ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_venue_network; printf '%s\\n' "\${COMPREPLY[@]}"`
    const env = { PATH: `${join(folder, 'installed/bin')}${delimiter}${PATH}` }
    const { stdout } = await run('bash', ['-c', ask], { env })
    return stdout.trim().split('\n')
  }
  expect(await complete('book')).toEqual(['book', 'bookings'])
  expect(await complete('bookings', 'list', '--st')).toEqual(['--status'])
  expect(await complete('listen', '--types', 'fee.')).toEqual([
    'fee.*',
    'fee.accrued',
    'fee.reversed',
  ])
})
