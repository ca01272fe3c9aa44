import { expect, test } from 'vitest'
import { openDoors } from '../support/open-doors.ts'

const WARNING = 'a proxy is not in TRUSTED_PROXIES'

async function warningsAfterTwoCalls(overrides: Record<string, string>): Promise<string[]> {
  const doors = await openDoors(overrides)
  try {
    for (const address of ['203.0.113.7', '203.0.113.8']) {
      await fetch(`${doors.url}/healthz`)
      await fetch(`${doors.url}/healthz`, { headers: { 'x-forwarded-for': address } })
    }
    return doors
      .logged()
      .split('\n')
      .filter((line) => line.includes(WARNING))
  } finally {
    await doors.close()
  }
}

test('an untrusted proxy is named once in the log', async () => {
  const warnings = await warningsAfterTwoCalls({})
  expect(warnings).toHaveLength(1)
  expect(warnings[0]).toContain('127.0.0.1')
  expect(await warningsAfterTwoCalls({ TRUSTED_PROXIES: '10.0.0.1' })).toHaveLength(1)
})

test('a trusted proxy is not mentioned', async () => {
  expect(await warningsAfterTwoCalls({ TRUSTED_PROXIES: '127.0.0.0/8' })).toEqual([])
})
