import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { readFolderState } from '../../src/local/data-folder.ts'
import { processesWith } from '../../src/local/orphans.ts'
import { answers, choosePort, isOk } from '../../src/local/ports.ts'
import { workflowBundle } from '../../src/platform/temporal/workflow-bundle.ts'
import { nightly } from '../support/nightly.ts'
import {
  bundleFolder,
  eventually,
  type Program,
  startProgram,
  withoutProgress,
} from '../support/programs.ts'
import { makeScratchFolder } from '../support/scratch-folder.ts'

let folder: string
let DATA_DIR: string
let PORT: string
const programs: Program[] = []

beforeEach(async () => {
  folder = makeScratchFolder('start-')
  DATA_DIR = join(folder, 'data')
  PORT = String(await choosePort())
})

afterEach(async () => {
  for (const program of programs.splice(0)) {
    if (program.process.exitCode === null) await program.end('SIGTERM')
  }
  rmSync(folder, { recursive: true, force: true })
})

function start(file = 'src/main.ts', env: Record<string, string> = {}, args: string[] = []) {
  const { TEMPORAL_CLI = '' } = process.env
  const program = startProgram(file, { DATA_DIR, PORT, TEMPORAL_CLI, ...env }, args)
  programs.push(program)
  return program
}

/** Simulates an earlier start of this release, since only the first start builds the workflows. */
async function startService(env: Record<string, string> = {}): Promise<Program> {
  const { codePath } = await workflowBundle(bundleFolder)
  mkdirSync(DATA_DIR, { recursive: true })
  copyFileSync(codePath, join(DATA_DIR, basename(codePath)))
  const service = start('src/main.ts', env)
  await service.prints('is ready')
  return service
}

/** The message of a failing start; nothing else, such as a stack trace, may be printed. */
async function failureOf(program: Program): Promise<string> {
  await once(program.process, 'close')
  expect(program.process.exitCode).toBe(1)
  expect(program.output()).not.toMatch(/^\s+at /m)
  return withoutProgress(program.output()).trim()
}

const get = (path: string, key = '') =>
  fetch(`http://127.0.0.1:${PORT}${path}`, { headers: { authorization: `Bearer ${key}` } })

const pidOfPostgres = () =>
  Number(readFileSync(join(DATA_DIR, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])

async function createKey(): Promise<string> {
  const keys = start('src/commands/keys.ts', {}, ['create', '--tier', 'pro', '--name', 'test'])
  await once(keys.process, 'close')
  return keys.output().trimEnd().split('\n').at(-1) ?? ''
}

test('--help prints the usage and starts nothing; an unknown option is refused', async () => {
  const help = start('src/main.ts', {}, ['--help'])
  await once(help.process, 'close')
  expect(help.process.exitCode).toBe(0)
  expect(help.output()).toContain('DATA_DIR')
  const wrong = start('src/main.ts', {}, ['--port', PORT])
  await once(wrong.process, 'close')
  expect(wrong.process.exitCode).toBe(2)
  expect(existsSync(DATA_DIR)).toBe(false)
})

nightly('a port in use is one message before anything is started', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const message = await failureOf(start('src/main.ts', { PORT: String(port) }))
  expect(message).toContain(`Port ${port} on 127.0.0.1 is taken`)
  expect(message.split('\n')).toHaveLength(1)
  expect(existsSync(DATA_DIR)).toBe(false)
  other.close()
})

test('an unreachable DATABASE_URL is one message with host and port, no password', async () => {
  const port = await choosePort()
  const DATABASE_URL = `postgres://network:s3cret@127.0.0.1:${port}/network`
  const message = await failureOf(start('src/main.ts', { DATABASE_URL }))
  expect(message).toContain(`PostgreSQL at 127.0.0.1:${port} cannot be used`)
  expect(message).not.toContain('s3cret')
  expect(message.split('\n')).toHaveLength(1)
})

nightly('an unreachable TEMPORAL_ADDRESS is one message with the address', async () => {
  const TEMPORAL_ADDRESS = `127.0.0.1:${await choosePort()}`
  const message = await failureOf(
    start('src/main.ts', { DATABASE_URL: inject('databaseUrl'), TEMPORAL_ADDRESS }),
  )
  expect(message.split('\n').at(-1)).toBe(
    `No Temporal server answers at ${TEMPORAL_ADDRESS}. Check TEMPORAL_ADDRESS.`,
  )
})

nightly('several invalid variables are one message that lists them all', async () => {
  const message = await failureOf(start('src/main.ts', { PORT: 'none', FEE_PCT: '200' }))
  expect(message).toContain('PORT')
  expect(message).toContain('FEE_PCT')
})

nightly('a second start on the same data folder is refused while the first runs', async () => {
  const first = await startService()
  const message = await failureOf(start('src/main.ts', { PORT: String(await choosePort()) }))
  expect(message).toContain(`is in use by process ${first.process.pid}`)
  expect((await get('/readyz')).status).toBe(200)
})

nightly('after `kill -9` the next start cleans up, keeps keys, and stops cleanly', async () => {
  const killed = await startService()
  const key = await createKey()
  const before = readFolderState(DATA_DIR)
  await killed.end('SIGKILL')
  expect(await answers('127.0.0.1', before.postgresPort ?? 0)).toBe(true)

  const service = await startService()
  expect((await get('/readyz')).status).toBe(200)
  expect((await get('/api/bookings', key)).status).toBe(200)

  const asked = performance.now()
  expect(await service.end('SIGINT')).toBe(0)
  expect(performance.now() - asked).toBeLessThan(30_000)
  const { postgresPort = 0, temporalPort = 0, temporalUiPort = 0 } = readFolderState(DATA_DIR)
  for (const port of [postgresPort, temporalPort, temporalUiPort, Number(PORT)]) {
    expect(await answers('127.0.0.1', port)).toBe(false)
  }
})

test('a key created before the first start works, and so does the booking it prints', async () => {
  const key = await createKey()
  const service = start()
  await service.prints('Ctrl-C stops everything')
  const [, body] = /\/api\/bookings .* -d '(.*)'/.exec(service.output()) ?? []
  const sent = { 'content-type': 'application/json', prefer: 'wait=60' }
  const headers = { authorization: `Bearer ${key}`, ...sent }
  const url = `http://127.0.0.1:${PORT}/api/bookings`
  const answer = await fetch(url, { method: 'POST', headers, body: body ?? '' })
  expect(await answer.json()).toMatchObject({ status: 'confirmed' })
  expect((await get('/api/bookings', `${key.slice(0, -1)}_`)).status).toBe(401)
  const printed = /curl -s (\S+\/book) -H "Authorization: ([^"]+)"/.exec(service.output()) ?? []
  const [, book = '', authorization = ''] = printed
  expect((await fetch(book)).status).toBe(401)
  expect((await fetch(book, { headers: { authorization } })).status).toBe(200)
})

/** The process that `npm start` has started with these arguments, other than process `not`. */
const serverWith = (args: string[], not?: number) =>
  eventually('the server to run', async () => {
    const [pid] = await processesWith(args)
    return pid !== not && pid
  })

nightly('loading its modules may take longer than an answer from PostgreSQL', async () => {
  const hook = `import { registerHooks } from 'node:module'
    const wait = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 11_000);'
    registerHooks({ load(url, context, next) {
      const loaded = next(url, context)
      return url.endsWith('/start-service.ts') ? { ...loaded, source: wait + loaded.source} : loaded
    } })`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(hook)}`
  await startService({ NODE_OPTIONS })
})

nightly('killed servers are restarted, and one line each says so', async () => {
  const service = await startService()
  await service.prints('Ctrl-C stops everything')
  const [, body = ''] = /\/api\/bookings .* -d '(.*)'/.exec(service.output()) ?? []
  const key = await createKey()
  const before = service.output().length
  const works = (path: string) =>
    eventually(`${path} to work`, async () => (await get(path, key)).status === 200)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const book = () =>
    fetch(`http://127.0.0.1:${PORT}/api/bookings`, { method: 'POST', headers, body })

  process.kill(pidOfPostgres(), 'SIGKILL')
  await service.prints('PostgreSQL ended (SIGKILL) and is started again.')
  await works('/api/bookings')

  process.kill(await serverWith(['--db-filename', join(DATA_DIR, 'temporal.db')]), 'SIGKILL')
  await service.prints('The Temporal server ended (SIGKILL) and is started again.')
  await works('/readyz')
  // If the first request was not answered in time, the next one joins it and gets 200.
  await eventually('a booking', async () => [200, 201].includes((await book()).status))

  const simulator = [resolve('packages/simulator/main.ts'), DATA_DIR]
  const first = await serverWith(simulator)
  process.kill(first, 'SIGKILL')
  await service.prints('The venue simulator ended (SIGKILL) and is started again.')
  process.kill(await serverWith(simulator, first), 'SIGKILL')
  const { simulatorPort } = readFolderState(DATA_DIR)
  await eventually('a third start', () => isOk(`http://127.0.0.1:${simulatorPort}/healthz`))

  const printed = service.output().slice(before).trim().split('\n')
  // The simulator's second end has its own line if it had restarted in between.
  const ends = new Set(printed.filter((line) => !line.startsWith('Starting ')))
  expect([...ends]).toHaveLength(3)
  expect(await service.end('SIGINT')).toBe(0)
})
