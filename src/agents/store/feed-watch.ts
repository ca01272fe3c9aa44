import type { Pool } from '../../platform/database/sql.ts'
import { selectLastActivity } from './feed.ts'
import { publishActivity } from './feed-publication.ts'

const LOOK_EVERY_MS = 1_000

/** Whoever reads the feed publishes what is due, so that it needs nobody else and costs nothing while nobody reads. */
export type Feed = {
  /** Publishes what may be published, at most once a second in a process. */
  publish(at: Date): Promise<void>
  /** True as soon as something was published after this number; false when nothing was for so many milliseconds and a second. */
  awaitMore(after: number, ms: number): Promise<boolean>
  /** aborted when nobody is to wait any more */
  stopping: AbortSignal
}

type Wait = { after: number; until: number; end(hasMore: boolean): void }

/** However many streams wait in a process, one look a second serves all of them, and none when nobody waits. `stopping` ends all waits. */
export function createFeed(db: Pool, stopping: AbortSignal): Feed {
  const waits = new Set<Wait>()
  let isLooking = false
  let publishing: Promise<void> | undefined
  let publishedAt = Number.NEGATIVE_INFINITY

  const end = (hasMore: boolean, these: (wait: Wait) => boolean) => {
    for (const wait of [...waits].filter(these)) {
      waits.delete(wait)
      wait.end(hasMore)
    }
  }
  stopping.addEventListener('abort', () => end(false, () => true), { once: true })

  function publish(at: Date): Promise<void> {
    if (publishing) return publishing
    if (performance.now() - publishedAt < LOOK_EVERY_MS) return Promise.resolve()
    publishing = publishActivity(db, at)
      .then(() => {
        publishedAt = performance.now()
      })
      .finally(() => {
        publishing = undefined
      })
    return publishing
  }

  async function look(): Promise<void> {
    // A database that does not answer is met by whoever reads next.
    const last = await publish(new Date())
      .then(() => selectLastActivity(db))
      .catch(() => 0)
    const now = performance.now()
    end(true, ({ after }) => last > after)
    end(false, ({ until }) => until <= now)
    isLooking = waits.size > 0
    if (isLooking) later(look)
  }

  return {
    stopping,
    publish,
    awaitMore: (after, ms) =>
      new Promise((resolve) => {
        if (stopping.aborted) return resolve(false)
        waits.add({ after, until: performance.now() + ms, end: resolve })
        if (isLooking) return
        isLooking = true
        later(look)
      }),
  }
}

const later = (look: () => Promise<void>) => void setTimeout(() => void look(), LOOK_EVERY_MS)

declare module '../../contract/define.ts' {
  interface Services {
    feed: Feed
  }
}
