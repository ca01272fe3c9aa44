import type { Db } from './sql.ts'

/** What was read a moment ago; `get` answers undefined for what is unknown or older than the memory's time. */
export type Memory<V> = {
  get(db: Db, key: string): V | undefined
  set(db: Db, key: string, value: V): void
}

/**
 * Keeps up to `maxEntries` values per database for `ttlMs`. For what changes rarely and decides nothing, as what a venue is and
 * when it opens: a booking is always judged by the rows themselves.
 */
export function createMemory<V>(ttlMs: number, maxEntries: number): Memory<V> {
  const memories = new WeakMap<Db, Map<string, { value: V; until: number }>>()
  return {
    get(db, key) {
      const entry = memories.get(db)?.get(key)
      return entry && entry.until > performance.now() ? entry.value : undefined
    },
    set(db, key, value) {
      const known = memories.get(db)
      const entries = known && known.size < maxEntries ? known : new Map()
      if (entries !== known) memories.set(db, entries)
      entries.set(key, { value, until: performance.now() + ttlMs })
    },
  }
}

/** Answers what `make` made of this key a moment ago; whoever asks while it is being made waits for the same. */
export type SharedMemory<V> = (db: Db, key: string, make: () => Promise<V>) => Promise<V>

/** A memory in which what is asked for by many at once is made once. What failed is not kept. */
export function createSharedMemory<V>(ttlMs: number, maxEntries: number): SharedMemory<V> {
  const memory = createMemory<V>(ttlMs, maxEntries)
  const inProgress = new WeakMap<Db, Map<string, Promise<V>>>()
  return (db, key, make) => {
    const known = memory.get(db, key)
    if (known !== undefined) return Promise.resolve(known)
    const making = inProgress.get(db) ?? new Map<string, Promise<V>>()
    inProgress.set(db, making)
    const begun = making.get(key)
    if (begun) return begun
    const made = make()
      .then((value) => {
        memory.set(db, key, value)
        return value
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }
}
