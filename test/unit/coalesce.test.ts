import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coalesce } from '../../src/store/coalesce.ts'

test('everyone gets the answer to their own key, whatever shares a batch', async () => {
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

test('who comes while a batch runs shares the next one', async () => {
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

test('a batch that fails fails for those in it and not for the next', async () => {
  let calls = 0
  const ask = coalesce<number, number>(async (batch) => {
    calls += 1
    if (calls === 1) throw new Error('lost')
    return batch
  }, 1)
  await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('lost')
  expect(await ask(3)).toBe(3)
})
