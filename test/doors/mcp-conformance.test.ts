import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFixtureService } from '../support/conformance/fixture-service.ts'
import { daily } from '../support/nightly.ts'
import { type Doors, openDoors } from '../support/open-doors.ts'

const run = promisify(execFile)
const require = createRequire(import.meta.url)
const suite = require.resolve('@modelcontextprotocol/conformance/dist/index.js')
const revisions = ['2025-11-25', '2026-07-28']
/** Scenarios that need no tools, resources or prompts of their own. */
const everyServer: Record<string, string[]> = {
  '2025-11-25': ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'],
  '2026-07-28': [
    'tools-list',
    'dns-rebinding-protection',
    'input-required-result-unsupported-methods',
  ],
}

/** Runs the official suite in its own process; rejects with its report unless everything passes. */
const conformance = async (url: string, ...args: string[]) => {
  const { stdout } = await run(process.execPath, [suite, 'server', '--url', url, ...args])
  return stdout
}

describe.each(revisions)('%s', (revision) => {
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

  for (const revision of revisions) {
    test.each(daily(everyServer[revision] ?? [], 2))(
      `passes %s at ${revision}`,
      async (scenario) => {
        const args = ['--scenario', scenario, '--spec-version', revision]
        expect(await conformance(`${doors.url}/mcp`, ...args)).toMatch(/0 failed/)
      },
    )
  }
})
