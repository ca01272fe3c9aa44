import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { advanceClock } from '../../src/clocks/steps/advance-clock.ts'
import { insertClock, updateTarget } from '../../src/clocks/store/clocks.ts'
import { selectOptionalProgress } from '../../src/clocks/store/due.ts'
import type { ClockPart } from '../../src/contract/clock-part.ts'
import type { NetworkEngine } from '../../src/network.ts'
import type { Pool } from '../../src/platform/database/sql.ts'
import { createLog } from '../../src/platform/telemetry/log.ts'
import { makeKey } from '../support/agent.ts'
import { createDatabase, openTestPool } from '../support/database.ts'

const DAY_MS = 86_400_000

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Pool

beforeAll(async () => {
  database = await createDatabase()
  db = openTestPool(database.url, 5)
})
afterAll(async () => {
  await db.end()
  await database.drop()
})
afterEach(() => vi.restoreAllMocks())

test('a clock reaches its target although something that is due never ends', async () => {
  const { accountId } = await makeKey(db, 'pro')
  const now = new Date()
  await insertClock(db, { accountId, name: 'hangs', aheadMs: 0, at: now })
  const target = new Date(now.getTime() + 70 * DAY_MS)
  await updateTarget(db, accountId, target)
  const hangs: ClockPart = {
    due: () => sql`${new Date(now.getTime() + DAY_MS)}::timestamptz`,
    tell: async () => {},
  }
  let seconds = 0
  vi.spyOn(performance, 'now').mockImplementation(() => {
    seconds += 20
    return seconds * 1000
  })
  const log = createLog('silent')
  const warn = vi.spyOn(log, 'warn')
  const deps = { db, engine: {} as NetworkEngine, log, clockParts: [hangs], heldDays: 30 }
  const signal = AbortSignal.timeout(15_000)
  const isPatient = true
  expect(await advanceClock(deps, accountId, { isPatient, signal })).toBe('moving')
  expect(await advanceClock(deps, accountId, { isPatient, signal })).toBe('waiting')
  expect(warn).not.toHaveBeenCalled()
  const turns: string[] = []
  while (turns.at(-1) !== 'ready') {
    turns.push(await advanceClock(deps, accountId, { isPatient: false, signal }))
  }
  expect(new Set(turns.slice(0, -1))).toEqual(new Set(['moving']))
  const progress = await selectOptionalProgress(db, deps.clockParts, accountId)
  expect(progress?.advancing_to).toBeNull()
  expect(Date.now() + (progress?.ahead_ms ?? 0)).toBeGreaterThanOrEqual(target.getTime())
  expect(warn).toHaveBeenCalled()
})
