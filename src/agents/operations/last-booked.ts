import type { Services } from '../../contract/operation.ts'
import { createCache } from '../../platform/database/cache.ts'
import { type Booked, selectLastBooked } from '../store/feed.ts'
import type { FeedServices } from '../store/feed-watch.ts'

const SHOWN = 5
const kept = createCache<Booked[]>({ max: 1, ttlMs: 60_000 })

/** What was booked last, as the public feed has it: at most a minute old. */
export const readLastBooked = ({ db, feed }: Pick<Services, 'db'> & FeedServices, at: Date) =>
  kept(db, 'last booked', async () => {
    await feed.publish(at)
    return selectLastBooked(db, SHOWN)
  })
