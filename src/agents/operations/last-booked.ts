import type { Services } from '../../contract/operation.ts'
import { createCache } from '../../platform/database/cache.ts'
import { type Booked, selectLastBooked } from '../store/feed.ts'
import type { FeedServices } from '../store/feed-watch.ts'

const MAX_SHOWN = 5
const cached = createCache<Booked[]>({ max: 1, ttlMs: 60_000 })

/** The latest bookings in the public feed, at most one minute out of date. */
export const readLastBooked = ({ db, feed }: Pick<Services, 'db'> & FeedServices, at: Date) =>
  cached(db, 'last booked', async () => {
    await feed.publish(at)
    return selectLastBooked(db, MAX_SHOWN)
  })
