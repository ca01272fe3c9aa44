import { chmodSync, mkdtempSync, readFileSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readFolderState } from '../../src/local/data-folder.ts'
import { answers, choosePort } from '../../src/local/ports.ts'
import { eventually, startProgram } from '../support/programs.ts'

const source = resolve(import.meta.dirname, '../../src/dev.ts')

test('npm run dev restarts the service on a change, keeps its servers, and cleans up', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dev-'))
  chmodSync(folder, 0o755)
  const PORT = String(await choosePort())
  const { TEMPORAL_CLI = '' } = process.env
  const dev = startProgram('src/main.ts', { DATA_DIR: folder, PORT, TEMPORAL_CLI }, ['--watch'])
  await dev.prints('Ctrl-C stops everything')
  const postmaster = () => readFileSync(join(folder, 'postgres/data/postmaster.pid'), 'utf8')
  const server = postmaster()

  utimesSync(source, new Date(), new Date())
  await dev.prints('src/dev.ts changed')
  await eventually('a second start', async () => dev.output().split('Ready after').length > 2)
  expect((await fetch(`http://127.0.0.1:${PORT}/readyz`)).status).toBe(200)
  expect(postmaster()).toBe(server)

  expect(await dev.end('SIGINT')).toBe(0)
  const { postgresPort = 0, temporalPort = 0, simulatorPort = 0 } = readFolderState(folder)
  for (const port of [postgresPort, temporalPort, simulatorPort, Number(PORT)]) {
    expect(await answers('127.0.0.1', port)).toBe(false)
  }
  rmSync(folder, { recursive: true, force: true })
})
