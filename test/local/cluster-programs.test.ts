import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findClusterPrograms } from '../../tools/cluster/cluster-programs.ts'

let folder: string
const cached = (name: string) => join(folder, name)

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cluster-programs-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('each program is built once at its version, and found by the next start', async () => {
  const built: string[] = []
  const build = async (goPackage: string, file: string) => {
    built.push(goPackage)
    writeFileSync(file, '')
  }
  const first = await findClusterPrograms({ build, cached })
  expect(await findClusterPrograms({ build, cached })).toEqual(first)
  expect(built).toEqual([
    'go.temporal.io/server/cmd/server@v1.32.0',
    'go.temporal.io/server/cmd/tools/sql@v1.32.0',
    'github.com/temporalio/ui-server/v2/cmd/server@v2.54.1',
  ])
})

test('without Go, the message lists every way to get the programs and why one failed', async () => {
  const build = async () => {
    throw new Error('spawn go ENOENT')
  }
  const search = findClusterPrograms({ build, cached })
  const message = await search.catch((error: Error) => error.message)
  for (const part of ['Go 1.26', cached('temporal-server-1.32.0'), 'docker compose', 'ENOENT']) {
    expect(message).toContain(part)
  }
})

test('without the UI the cluster starts anyway and says why it is missing', async () => {
  const build = async (goPackage: string, file: string) => {
    if (goPackage.includes('ui-server')) throw new Error('Go 1.26 is needed')
    writeFileSync(file, '')
  }
  const { server, ui } = await findClusterPrograms({ build, cached })
  expect(server).toBe(cached('temporal-server-1.32.0'))
  expect(ui).toEqual({ missing: 'Go 1.26 is needed' })
})
