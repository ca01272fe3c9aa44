import { expect, onTestFinished, test, vi } from 'vitest'
import { bearer, openDoors } from '../support/open-doors.ts'
import { eventually } from '../support/programs.ts'

const QUARTER_HOUR_MS = 15 * 60_000

test('doors that nobody calls send no queries to the database', async () => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  onTestFinished(() => void vi.useRealTimers())
  const doors = await openDoors()
  onTestFinished(doors.close)
  const { key, accountId } = await doors.openAccount('pro')
  const search = await fetch(`${doors.url}/api/venues/search?q=tapas`, { headers: bearer(key) })
  expect(search.status).toBe(200)
  await eventually('the call to be recorded', async () => {
    const recorded = 'select 1 from request_log where account_id = $1'
    return (await doors.db.query(recorded, [accountId])).rows.length > 0
  })
  let statements = 0
  doors.db.on('acquire', () => {
    statements += 1
  })
  await vi.advanceTimersByTimeAsync(QUARTER_HOUR_MS)
  expect(statements).toBe(0)
})
