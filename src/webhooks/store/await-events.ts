import type { Pool } from '../../platform/database/sql.ts'
import { selectLastNumbers } from './ledger.ts'

const LOOK_EVERY_MS = 500

/** True as soon as the ledger of the account has gone past a number; false when it has not after so many milliseconds and a half second. */
export type AwaitEvents = (accountId: string, after: number, ms: number) => Promise<boolean>

type Wait = { accountId: string; after: number; until: number; end(hasMore: boolean): void }

/**
 * However many readers wait in a process, one statement each half second looks for all of them, and none when nobody waits. `stopping`
 * ends all waits.
 */
export function createAwaitEvents(db: Pool, stopping: AbortSignal): AwaitEvents {
  const waits = new Set<Wait>()
  let isLooking = false

  const end = (hasMore: boolean, these: (wait: Wait) => boolean) => {
    for (const wait of [...waits].filter(these)) {
      waits.delete(wait)
      wait.end(hasMore)
    }
  }
  stopping.addEventListener('abort', () => end(false, () => true), { once: true })

  async function look(): Promise<void> {
    // A database that does not answer is met by whoever reads next.
    const last = await selectLastNumbers(db, [...accountsOf(waits)]).catch(() => null)
    const now = performance.now()
    end(true, ({ accountId, after }) => (last?.get(accountId) ?? 0) > after)
    end(false, ({ until }) => until <= now)
    isLooking = waits.size > 0
    if (isLooking) later(look)
  }

  return (accountId, after, ms) =>
    new Promise((resolve) => {
      if (stopping.aborted) return resolve(false)
      waits.add({ accountId, after, until: performance.now() + ms, end: resolve })
      if (isLooking) return
      isLooking = true
      later(look)
    })
}

const accountsOf = (waits: ReadonlySet<Wait>) =>
  new Set([...waits].map(({ accountId }) => accountId))

const later = (look: () => Promise<void>) => void setTimeout(() => void look(), LOOK_EVERY_MS)
