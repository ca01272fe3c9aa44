import { randomUUIDv7 } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { insertAccount } from '../../src/accounts/store/accounts.ts'
import { openPool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import type { WebhookEngine } from '../../src/webhooks/engine.ts'
import { createEndpointNotifier } from '../../src/webhooks/hooks.ts'
import { wakeWaitingEndpoints } from '../../src/webhooks/sender/upkeep.ts'
import { createDatabase } from '../support/database.ts'
import { insertEndpointRow, writeEvents } from '../support/deliveries.ts'

const start = { endpointId: 'one', accountId: 'account' }

test('an endpoint is notified at once, then less often while events keep coming', async () => {
  const told: number[] = []
  const signalEndpoint = async () => void told.push(performance.now())
  const wake = createEndpointNotifier({ signalEndpoint }, () => {})
  wake([start])
  expect(told).toHaveLength(1)
  while (told.length < 5) {
    wake([start])
    await setTimeout(10)
  }
  const pauses = told.slice(1).map((at, nth) => at - (told[nth] ?? 0))
  for (const [nth, ms] of [100, 200, 400, 500].entries()) {
    expect(pauses[nth]).toBeGreaterThan(ms - 5)
  }
  const last = performance.now()
  wake([start])
  await expect.poll(() => told.at(-1)).toBeGreaterThan(last)
})

test('a busy endpoint does not delay the notification of another', async () => {
  const told: string[] = []
  const signalEndpoint = async ({ endpointId }: typeof start) => void told.push(endpointId)
  const wake = createEndpointNotifier({ signalEndpoint }, () => {})
  for (let nth = 0; nth < 10; nth += 1) wake([start])
  wake([{ ...start, endpointId: 'other' }])
  expect(told).toEqual(['one', 'other'])
})

test('an unreadable time is named, and other endpoints are still notified', async () => {
  const database = await createDatabase()
  const db = openPool(database.url, 3, () => {})
  try {
    const make = async () => {
      const accountId = randomUUIDv7()
      await insertAccount(db, { id: accountId, name: 'x', tier: 'pro', at: new Date() })
      const id = await insertEndpointRow(db, accountId)
      await writeEvents(db, accountId, 1)
      return id
    }
    const [broken, healthy] = [await make(), await make()]
    await db.query(`update delivery set due_at = '-infinity' where endpoint_id = $1`, [broken])
    const helped: string[] = []
    const announceDue = async ({ endpointId }: typeof start) => void helped.push(endpointId)
    const engine = { announceDue } as unknown as WebhookEngine
    const deps = { db, engine, log: createLog('silent') }
    const pass = await wakeWaitingEndpoints(deps, new Date(Date.now() + 60_000))
    expect(pass.failures).toEqual([expect.stringContaining(broken)])
    expect(helped).toEqual([healthy])
  } finally {
    await db.end()
    await database.drop()
  }
})
