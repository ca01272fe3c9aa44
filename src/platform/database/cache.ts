import { LRUCache } from 'lru-cache'
import type { Db } from './sql.ts'

/** Makes something once for each database: what everything in a process that uses it shares. */
export function perDatabase<T extends object>(make: (db: Db) => T): (db: Db) => T {
  const made = new WeakMap<Db, T>()
  return (db) => {
    const known = made.get(db)
    if (known) return known
    const created = make(db)
    made.set(db, created)
    return created
  }
}

export type CacheOptions = {
  /** entries per database; the least recently used go first */
  max: number
  /** A value this old is read again; reads of one moment spread over the last quarter of it. */
  ttlMs: number
  /** Until this age a value is still returned while it is read again; `ttlMs` if left out. */
  staleMs?: number
}

/** Returns the cached value of a key, or what `read` reads; `read` gets the value that it replaces. */
export type Cached<V> = (
  db: Db,
  key: string,
  read: (before: V | undefined) => Promise<V>,
  isCurrent?: (value: V) => boolean,
) => Promise<V>

/**
 * Reads through a cache: concurrent callers share one read, and a failed read is not cached. A value
 * that `isCurrent` rejects is never returned: the caller waits for a new one.
 */
export function createCache<V>(options: CacheOptions): Cached<V> {
  const { max, ttlMs, staleMs = ttlMs } = options
  type Entry = { value: V; readAt: number }
  type Read = (before: V | undefined) => Promise<V>
  const caches = perDatabase(
    () =>
      new LRUCache<string, Entry, Read>({
        max,
        ttl: ttlMs,
        ignoreFetchAbort: true,
        noDeleteOnFetchRejection: true,
        fetchMethod: async (_, before, { context: read, options }) => {
          const readAt = performance.now()
          options.ttl = ttlMs * (1 - Math.random() / 4)
          return { value: await read(before?.value), readAt }
        },
      }),
  )

  return async (db, key, read, isCurrent = () => true) => {
    const cache = caches(db)
    const known = cache.peek(key, { allowStale: true })
    const isOld = known !== undefined && performance.now() - known.readAt > staleMs
    const isUsable = known !== undefined && !isOld && isCurrent(known.value)
    const first = {
      context: read,
      allowStale: isUsable,
      forceRefresh: known !== undefined && !isUsable,
    }
    const { value } = await cache.forceFetch(key, first)
    if (isCurrent(value)) return value
    return (await cache.forceFetch(key, { context: read, forceRefresh: true })).value
  }
}
