import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coalesce, coalesceBy } from '../../src/platform/database/coalesce.ts'

test('every caller gets the answer to its own key, whatever shares the batch', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), fc.integer({ min: 1, max: 3 }), async (keys, n) => {
      const batches: number[][] = []
      const double = coalesce<number, number>(async (batch) => {
        batches.push(batch)
        return batch.map((key) => key * 2)
      }, n)
      expect(await Promise.all(keys.map(double))).toEqual(keys.map((key) => key * 2))
      expect(batches.flat()).toEqual(keys)
      expect(batches.length).toBeLessThanOrEqual(1)
    }),
  )
})

test('calls during a batch share the next one', async () => {
  const batches: number[][] = []
  const started = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const ask = coalesce<number, number>(async (batch) => {
    batches.push(batch)
    started.resolve()
    await release.promise
    return batch
  }, 1)
  const first = ask(1)
  await started.promise
  const later = [ask(2), ask(3)]
  release.resolve()
  expect(await Promise.all([first, ...later])).toEqual([1, 2, 3])
  expect(batches).toEqual([[1], [2, 3]])
})

test('a failed batch fails only the calls in it', async () => {
  let calls = 0
  const ask = coalesce<number, number>(async (batch) => {
    calls += 1
    if (calls === 1) throw new Error('lost')
    return batch
  }, 1)
  await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('lost')
  expect(await ask(3)).toBe(3)
})

test('each group of keys has its own batches, one after the other', async () => {
  const batches: string[][] = []
  const ask = coalesceBy<string, string>(
    (key) => key.slice(0, 1),
    async (keys) => {
      batches.push(keys)
      return keys.map((key) => key.toUpperCase())
    },
  )
  const asked = ['a1', 'b1', 'a2', 'b2'].map(ask)
  expect(await Promise.all(asked)).toEqual(['A1', 'B1', 'A2', 'B2'])
  expect(batches).toEqual([
    ['a1', 'a2'],
    ['b1', 'b2'],
  ])
  expect(await ask('a3')).toBe('A3')
})

test('a failure in one group does not affect the others', async () => {
  const ask = coalesceBy<string, string>(
    (key) => key,
    async (keys) => {
      if (keys.includes('bad')) throw new Error('down')
      return keys
    },
  )
  const asked = await Promise.allSettled([ask('bad'), ask('good'), ask('bad')])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected'])
})
