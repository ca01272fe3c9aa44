import type { Pool } from '../../platform/database/sql.ts'
import { createPoller } from '../../platform/process/poller.ts'
import { selectLastNumbers } from './ledger.ts'

const POLL_MS = 500

/** Resolves to true once the account's ledger has passed a number, or to false after `ms`. */
export type AwaitEvents = (accountId: string, after: number, ms: number) => Promise<boolean>

export function createAwaitEvents(db: Pool, stopping: AbortSignal): AwaitEvents {
  const wait = createPoller<{ accountId: string; after: number }>({
    everyMs: POLL_MS,
    stopping,
    async look(subjects) {
      const accountIds = new Set(subjects.map(({ accountId }) => accountId))
      const last = await selectLastNumbers(db, [...accountIds])
      return ({ accountId, after }) => (last.get(accountId) ?? 0) > after
    },
  })
  return (accountId, after, ms) => wait({ accountId, after }, ms)
}
