import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { choosePort } from '../../src/local/ports.ts'
import { agentWith, findSlot } from '../support/agent.ts'
import { eventually } from '../support/programs.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fresh-clone-'))
  chmodSync(folder, 0o755)
  await run('git', ['clone', '--quiet', root, folder])
  // On the machine's own Node, which may be older than the project's.
  const folders = (process.env.PATH ?? '').split(delimiter)
  const PATH = folders.filter((one) => !one.includes('node_modules')).join(delimiter)
  const { stderr } = await run('npm', ['ci'], { cwd: folder, env: { ...process.env, PATH } })
  expect(stderr).toBe('')
}, 300_000)

/** What a reader pastes into a second terminal; `listen` would not end. */
function readmeSamples(url: string): string {
  const text = readFileSync(join(root, 'README.md'), 'utf8')
  const blocks = [...text.matchAll(/^```\n(.*?)^```$/gms)].map(([, block = '']) => block)
  const from = blocks.findIndex((block) => block.startsWith('TEST_KEY='))
  const samples = blocks.slice(from, from + 2).join('')
  return samples.replace('http://127.0.0.1:3000', url).replace(/^.*listen --after 0$/m, '')
}

afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('npm ci && npm start in a fresh clone books, and SIGTERM to npm ends it', async () => {
  const PORT = String(await choosePort())
  const env = { ...process.env, PORT }
  const service = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: 'ignore' })
  const exited = once(service, 'exit')
  const url = `http://127.0.0.1:${PORT}`
  await eventually('the service to be ready', async () => {
    const ready = await fetch(`${url}/readyz`).catch(() => undefined)
    return ready?.status === 200
  })
  const create = ['run', '--silent', 'keys', '--', 'create', '--tier', 'pro', '--name', 'smoke']
  const { stdout } = await run('npm', create, { cwd: folder, env })
  const agent = agentWith(url, '', stdout.trimEnd().split('\n').at(-1) ?? '')
  const booked = await agent.post('/api/bookings', await findSlot(agent, 'dinner in Canggu'))
  expect(booked).toMatchObject({ status: 201, body: { status: 'confirmed' } })

  const { stdout: pasted } = await run('bash', ['-c', readmeSamples(url)], { cwd: folder, env })
  expect(pasted.match(/"status":"(pending|confirmed)","booking"/g)).toHaveLength(2)
  expect(pasted).toContain('"slug":"kelapa-warung-canggu"')
  expect(pasted).not.toContain('"retryable":')

  service.kill('SIGTERM')
  await exited
  expect(await fetch(`${url}/readyz`).catch(() => 'gone')).toBe('gone')
  const { stdout: processes } = await run('ps', ['-eo', 'args'])
  expect(processes).not.toContain(join(folder, '.data'))
})
