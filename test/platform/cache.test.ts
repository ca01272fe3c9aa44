import { expect, test } from 'vitest'
import { createCache } from '../../src/platform/database/cache.ts'
import type { Db } from '../../src/platform/database/sql.ts'

const db = {} as Db
const minute = { max: 10, ttlMs: 60_000 }
/** Every value is stale at once, but may be returned for another minute. */
const stale = { max: 10, ttlMs: 1, staleMs: 60_000 }

/** Counts its reads, from 1. */
function counter() {
  let made = 0
  return async () => {
    made += 1
    return made
  }
}

const olderThan = (ms: number) => {
  const until = performance.now() + ms
  return expect.poll(() => performance.now()).toBeGreaterThan(until)
}

test('concurrent callers share one read; its value is cached per key and database', async () => {
  const cached = createCache<number>(minute)
  const read = counter()
  const all = Promise.all(Array.from({ length: 20 }, () => cached(db, 'key', read)))
  expect(await all).toEqual(Array.from({ length: 20 }, () => 1))
  expect(await cached(db, 'key', read)).toBe(1)
  expect(await cached(db, 'other key', read)).toBe(2)
  expect(await cached({} as Db, 'key', read)).toBe(3)
})

test('a failed read fails for all waiting callers, and the next caller reads again', async () => {
  const cached = createCache<string>(minute)
  const fail = () => Promise.reject(new Error('the database is away'))
  const both = await Promise.allSettled([cached(db, 'key', fail), cached(db, 'key', fail)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await cached(db, 'key', async () => 'found')).toBe('found')
})

test('a stale value is returned while it is refreshed', async () => {
  const cached = createCache<number>(stale)
  const read = counter()
  expect(await cached(db, 'key', read)).toBe(1)
  await olderThan(2)
  expect(await cached(db, 'key', read)).toBe(1)
  await expect.poll(() => cached(db, 'key', read)).toBeGreaterThan(1)
})

test('a stale value that cannot be refreshed is returned until its stale time ends', async () => {
  const cached = createCache<string>(stale)
  await cached(db, 'key', async () => 'good')
  const fail = () => Promise.reject(new Error('the database is away'))
  for (let turn = 0; turn < 3; turn += 1) {
    await olderThan(2)
    expect(await cached(db, 'key', fail)).toBe('good')
  }
})

test('a value past its stale time is never returned: the caller waits for the read', async () => {
  const cached = createCache<number>({ max: 10, ttlMs: 1 })
  const read = counter()
  expect(await cached(db, 'key', read)).toBe(1)
  await olderThan(2)
  expect(await cached(db, 'key', read)).toBe(2)
})

test('an outdated value is replaced, and its read receives it', async () => {
  const cached = createCache<number>(minute)
  const next = async (before: number | undefined) => (before ?? 0) + 1
  expect(await cached(db, 'key', next)).toBe(1)
  expect(await cached(db, 'key', next, (value) => value > 1)).toBe(2)
  expect(await cached(db, 'key', next, (value) => value > 1)).toBe(2)
})

test('the least recently used entries are evicted first', async () => {
  const cached = createCache<number>({ max: 2, ttlMs: 60_000 })
  const read = counter()
  for (const key of ['one', 'two', 'one', 'three']) await cached(db, key, read)
  expect(await cached(db, 'one', read)).toBe(1)
  expect(await cached(db, 'two', read)).toBe(4)
})
