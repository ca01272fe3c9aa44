import sql from 'sql-template-tag'
import type { OpenWork } from '../../contract/open-work.ts'
import type { ClockEngine } from '../engine.ts'
import { selectClockName } from '../store/clocks.ts'

/** Test clocks that are moving. */
export const openClocks: OpenWork<ClockEngine> = {
  name: 'test_clocks',
  workflows: { testClock: 'test-clock/' },
  open: sql`select account_id as id from test_clock where advancing_to is not null`,
  resume: async ({ db, engine }, accountId) =>
    engine.resumeClock({ accountId, name: await selectClockName(db, accountId) }),
}
