import { isDeepStrictEqual } from 'node:util'
import type { Db } from './sql.ts'

/** What was read a moment ago; `get` answers undefined for what is unknown or older than the memory's time. */
export type Memory<V> = {
  get(db: Db, key: string): V | undefined
  /** the same, however old it is */
  last(db: Db, key: string): V | undefined
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
    last: (db, key) => memories.get(db)?.get(key)?.value,
    set(db, key, value) {
      const known = memories.get(db)
      const entries = known && known.size < maxEntries ? known : new Map()
      if (entries !== known) memories.set(db, entries)
      entries.set(key, { value, until: performance.now() + ttlMs })
    },
  }
}

/**
 * Answers what `make` made of this key a moment ago; whoever asks while it is being made waits for the same. What is made anew and comes
 * out equal stays the object that it was, so that what was worked out from it can be found again: never change one.
 */
export type SharedMemory<V> = (db: Db, key: string, make: () => Promise<V>) => Promise<V>

/**
 * For how long a value is as good as new, until when it is good enough for whoever asks first after that, and how many are then made anew
 * at once while nobody waits for them; any number unless given.
 */
export type Keeping = { freshMs: number; keptMs: number; renewedAtOnce?: number }

/**
 * A memory in which what is asked for by many at once is made once. A value that is no longer fresh is still answered while a new
 * one is being made. What failed is not kept.
 */
export function createSharedMemory<V>(
  { freshMs, keptMs, renewedAtOnce = Number.POSITIVE_INFINITY }: Keeping,
  maxEntries: number,
): SharedMemory<V> {
  type Make = () => Promise<V>
  type Work = { making: Map<string, Promise<V>>; stale: Map<string, Make>; renewing: number }
  const memory = createMemory<{ value: V; madeAt: number }>(keptMs, maxEntries)
  const works = new WeakMap<Db, Work>()

  return async (db, key, make) => {
    const known = memory.get(db, key)
    if (!known) return makeOnce(db, key, make)
    if (performance.now() - known.madeAt > freshMs) void renew(db, key, make)
    return known.value
  }

  function workOf(db: Db): Work {
    const work = works.get(db) ?? { making: new Map(), stale: new Map(), renewing: 0 }
    works.set(db, work)
    return work
  }

  function makeOnce(db: Db, key: string, make: Make): Promise<V> {
    const { making } = workOf(db)
    const begun = making.get(key)
    if (begun) return begun
    const made = make()
      .then((made) => {
        const before = memory.last(db, key)?.value
        const value = isDeepStrictEqual(before, made) ? (before as V) : made
        memory.set(db, key, { value, madeAt: performance.now() })
        return value
      })
      .finally(() => making.delete(key))
    making.set(key, made)
    return made
  }

  /** Whoever asks for a value when it is no longer kept will see why it could not be made. */
  async function renew(db: Db, key: string, make: Make): Promise<void> {
    const work = workOf(db)
    if (work.making.has(key)) return
    work.stale.set(key, make)
    if (work.renewing >= renewedAtOnce) return
    work.renewing += 1
    for (const [key, make] of work.stale) {
      work.stale.delete(key)
      await makeOnce(db, key, make).catch(() => {})
    }
    work.renewing -= 1
  }
}
