import { expect, test } from 'vitest'
import { createSharedMemory } from '../../src/platform/database/memory.ts'
import type { Db } from '../../src/platform/database/sql.ts'

const db = {} as Db
const minute = { freshMs: 60_000, keptMs: 60_000 }

test('what many ask for at once is made once, and kept', async () => {
  const recall = createSharedMemory<number>(minute, 10)
  let made = 0
  const make = async () => {
    made += 1
    return made
  }
  const all = Promise.all(Array.from({ length: 20 }, () => recall(db, 'key', make)))
  expect(await all).toEqual(Array.from({ length: 20 }, () => 1))
  expect(await recall(db, 'key', make)).toBe(1)
  expect(await recall(db, 'other key', make)).toBe(2)
  expect(await recall({} as Db, 'key', make)).toBe(3)
})

test('what failed is told to all who waited, and made anew for the next', async () => {
  const recall = createSharedMemory<string>(minute, 10)
  const fail = () => Promise.reject(new Error('the database is away'))
  const both = await Promise.allSettled([recall(db, 'key', fail), recall(db, 'key', fail)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await recall(db, 'key', async () => 'found')).toBe('found')
})

test('what is no longer fresh is answered once more while it is made anew', async () => {
  const recall = createSharedMemory<number>({ freshMs: -1, keptMs: 60_000 }, 10)
  let made = 0
  const make = async () => {
    made += 1
    return made
  }
  expect(await recall(db, 'stale', make)).toBe(1)
  expect(await recall(db, 'stale', make)).toBe(1)
  await expect.poll(() => recall(db, 'stale', make)).toBeGreaterThan(1)
})

test('what cannot be made anew goes on being answered for as long as it is kept', async () => {
  const recall = createSharedMemory<string>({ freshMs: -1, keptMs: 60_000 }, 10)
  await recall(db, 'kept', async () => 'good')
  const fail = () => Promise.reject(new Error('the database is away'))
  expect(await recall(db, 'kept', fail)).toBe('good')
  expect(await recall(db, 'kept', fail)).toBe('good')
})

test('what grows old together is made anew one by one where that is wanted', async () => {
  const recall = createSharedMemory<number>({ freshMs: -1, keptMs: 60_000, renewedAtOnce: 1 }, 10)
  const keys = ['one', 'two', 'three']
  for (const key of keys) await recall(db, key, async () => 1)
  const begun: (() => void)[] = []
  const make = () => new Promise<number>((resolve) => begun.push(() => resolve(2)))
  for (const key of [...keys, ...keys]) expect(await recall(db, key, make)).toBe(1)
  for (const nth of keys.keys()) {
    await expect.poll(() => begun.length).toBe(nth + 1)
    begun[nth]?.()
  }
  for (const key of keys) await expect.poll(() => recall(db, key, async () => 2)).toBe(2)
})

test('what comes out the same is the same object, however old it is', async () => {
  const recall = createSharedMemory<number[]>({ freshMs: -1, keptMs: -1 }, 10)
  const first = await recall(db, 'key', async () => [1, 2])
  expect(await recall(db, 'key', async () => [1, 2])).toBe(first)
  expect(await recall(db, 'key', async () => [1, 3])).toEqual([1, 3])
})
