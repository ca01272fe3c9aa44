import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFixtureService } from '../support/conformance/fixture-service.ts'
import { daily } from '../support/nightly.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js')
const revisions = ['2025-11-25', '2026-07-28']
/** Runs the official suite in its own process; rejects with its report unless everything passes. */
const conformance = async (url: string, ...args: string[]) => {
  const { stdout } = await run(process.execPath, [suite, 'server', '--url', url, ...args])
  return stdout
}

describe.each(daily(revisions.toReversed()))('%s', (revision) => {
  let fixture: Awaited<ReturnType<typeof openFixtureService>>
  beforeAll(async () => {
    fixture = await openFixtureService()
  })
  afterAll(() => fixture?.close())

  test('the plug-in passes every scenario that the revision requires', async () => {
    const report = await conformance(fixture.url, '--requirements', revision)
    expect(report.match(/^✓ .+, 0 failed$/gm)?.length).toBeGreaterThan(30)
  })
})

describe('the network itself', () => {
  let doors: Doors
  beforeAll(async () => {
    doors = await openDoors()
  })
  afterAll(() => doors?.close())

  test.each(revisions)('passes all of %s but what its list names', async (revision) => {
    const list = join(import.meta.dirname, `../support/conformance/network-${revision}.yaml`)
    const args = ['--requirements', revision, '--expected-failures', list]
    const report = await conformance(`${doors.url}/mcp`, ...args)
    expect(report.match(/^✓ .+, 0 failed$/gm)?.length).toBeGreaterThan(5)
  })
})
