import type { Pool } from '../../platform/database/sql.ts'
import { createPoller } from '../../platform/process/poller.ts'
import { selectLastActivity } from './feed.ts'
import { publishActivity } from './feed-publication.ts'

const POLL_MS = 1_000

/** The public feed. Reading it publishes what is due, so no separate process is needed. */
export type Feed = {
  /** Publishes due activities, at most once a second per process. */
  publish(at: Date): Promise<void>
  /** Resolves to true once an activity has a higher number, or to false after `ms`. */
  awaitMore(after: number, ms: number): Promise<boolean>
  /** aborted when the process stops */
  stopping: AbortSignal
}

export function createFeed(db: Pool, stopping: AbortSignal): Feed {
  let publishing: Promise<void> | undefined
  let publishedAt = Number.NEGATIVE_INFINITY

  const publish = async (at: Date): Promise<void> => {
    if (!publishing && performance.now() - publishedAt < POLL_MS) return
    publishing ??= publishActivity(db, at)
      .then(() => {
        publishedAt = performance.now()
      })
      .finally(() => {
        publishing = undefined
      })
    return publishing
  }

  const awaitMore = createPoller<number>({
    everyMs: POLL_MS,
    stopping,
    async look() {
      await publish(new Date())
      const last = await selectLastActivity(db)
      return (after) => last > after
    },
  })
  return { stopping, publish, awaitMore }
}

/** The services used by operations on the feed. */
export type FeedServices = { feed: Feed }
