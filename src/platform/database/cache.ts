import { LRUCache } from 'lru-cache'
import type { Db } from './sql.ts'

/** Creates something once per database. */
export function perDatabase<T extends object, D extends Db = Db>(make: (db: D) => T): (db: D) => T {
  const instances = new WeakMap<D, T>()
  return (db) => {
    const instance = instances.get(db)
    if (instance) return instance
    const created = make(db)
    instances.set(db, created)
    return created
  }
}

type CacheOptions = {
  /** maximum entries per database; evicts the least recently used first */
  max: number
  /** The age at which a value is refreshed; up to a quarter less, at random, to spread reads. */
  ttlMs: number
  /** During a refresh, the old value is still returned up to this age; `ttlMs` by default. */
  staleMs?: number
}

/** Returns a key's cached value or reads it; `read` receives the value being replaced. */
export type Cached<V> = (
  db: Db,
  key: string,
  read: (before: V | undefined) => Promise<V>,
  isCurrent?: (value: V) => boolean,
) => Promise<V>

/**
 * A read-through cache: concurrent callers share one read, and failed reads are not cached. If
 * `isCurrent` rejects the cached value, the caller waits for a new one.
 */
export function createCache<V>({ max, ttlMs, staleMs = ttlMs }: CacheOptions): Cached<V> {
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
    const entry = cache.peek(key, { allowStale: true })
    const isOld = entry !== undefined && performance.now() - entry.readAt > staleMs
    const isUsable = entry !== undefined && !isOld && isCurrent(entry.value)
    const forceRefresh = entry !== undefined && !isUsable
    const { value } = await cache.forceFetch(key, {
      context: read,
      allowStale: isUsable,
      forceRefresh,
    })
    if (isCurrent(value)) return value
    return (await cache.forceFetch(key, { context: read, forceRefresh: true })).value
  }
}
