import { timeAt } from '../src/base/account-time.ts'
import type { Rounds } from '../src/base/rounds.ts'
import type { StepDeps } from '../src/bookings/hooks.ts'
import { readClock } from '../src/platform/database/account-time.ts'
import type { PassDeps } from '../src/platform/database/continue-pass.ts'
import type { EntryStart } from '../src/waitlist/rules/entry.ts'
import { type ScanEngine, scanWaitlist } from '../src/waitlist/steps/scan-waitlist.ts'
import { expireEntry, selectEntryState } from '../src/waitlist/store/entries.ts'
import { inRounds, type RoundsDeps } from './in-rounds.ts'

export type WaitlistActivities = ReturnType<typeof createWaitlistActivities>

type WaitlistActivityDeps = PassDeps & RoundsDeps & { engine: ScanEngine; steps: StepDeps }

/** The lookup for one waitlist entry, and the scan that backs up all entries. */
export const createWaitlistActivities = ({
  db,
  engine,
  log,
  steps,
  stopping,
}: WaitlistActivityDeps) => ({
  async readEntry(entry: EntryStart, workflowTime: number) {
    const start = await readClock(db, entry)
    await expireEntry(db, start.entryId, timeAt(start, workflowTime))
    return selectEntryState(db, start.entryId)
  },
  scanInRounds: (rounds: Rounds) => {
    const { limits } = steps.terms
    return inRounds(rounds, { log, stopping }, (at) =>
      scanWaitlist({ db, engine, log, limits }, at),
    )
  },
})
