import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { isNightly } from '../support/nightly.ts'
import { test } from '../support/service.ts'

const run = promisify(execFile)
const sources = resolve(import.meta.dirname, '../clients')
const packages = resolve(import.meta.dirname, '../../node_modules')
const cache = join(packages, '.cache/clients')
const PYTHON_GENERATOR = 'openapi-python-client==0.28.0'

const booked = { id: expect.any(String), status: 'confirmed', refusal: 'booking_not_found' }

/** A folder with the service's document and the sources of a client, kept from run to run. */
async function clientFolder(language: string, url: string): Promise<string> {
  const folder = join(cache, language)
  mkdirSync(folder, { recursive: true })
  cpSync(sources, folder, { recursive: true })
  writeFileSync(join(folder, 'openapi.json'), await (await fetch(`${url}/openapi.json`)).text())
  return folder
}

test('types generated for TypeScript are of moderate size, and a client books with them', async ({
  service,
}) => {
  const cwd = await clientFolder('typescript', service.url)
  const bin = (name: string) => join(cwd, 'node_modules/.bin', name)
  await run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund'], { cwd })
  await run(bin('openapi-typescript'), ['openapi.json', '--output', 'network.d.ts'], { cwd })
  // Our compiler, as the one that the generator brings takes seven times as long.
  await run(join(packages, '.bin/tsc'), ['--project', '.'], { cwd })
  const env = { ...process.env, URL: service.url, KEY: service.agent.key }
  const { stdout } = await run(process.execPath, ['book.js'], { cwd, env })
  expect(JSON.parse(stdout)).toEqual(booked)
  // A third of it is the generator's frame around each operation.
  expect(statSync(join(cwd, 'network.d.ts')).size).toBeLessThan(300_000)
})

if (isNightly) {
  test('a client generated for Python books', async ({ service }) => {
    const cwd = await clientFolder('python', service.url)
    await run('python3', ['-m', 'venv', 'venv'], { cwd })
    await run('venv/bin/pip', ['install', '--quiet', PYTHON_GENERATOR], { cwd })
    rmSync(join(cwd, 'network'), { recursive: true, force: true })
    const options = ['--path', 'openapi.json', '--output-path', 'network', '--meta', 'none']
    await run('venv/bin/openapi-python-client', ['generate', ...options], { cwd })
    const env = { ...process.env, URL: service.url, KEY: service.agent.key }
    const { stdout } = await run('venv/bin/python', ['book.py'], { cwd, env })
    expect(JSON.parse(stdout)).toEqual(booked)
    const models = join(cwd, 'network', 'models')
    const isModel = (name: string) =>
      readFileSync(join(models, name), 'utf8').includes('_attrs_define')
    expect(readdirSync(models).filter(isModel).length).toBeLessThan(200)
  })
}
