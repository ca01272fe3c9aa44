import { expect, test } from 'vitest'
import { erasePast, type Limit } from '../../src/platform/database/erase-through.ts'
import { eachStep, workThrough } from '../../src/platform/process/work-through.ts'
import { readableLog } from '../support/lines.ts'

const ids = Array.from({ length: 450 }, (_, n) => `row ${String(n).padStart(3, '0')}`)
const { log } = readableLog()

/** Works through `ids`; `help` answers as it would for a row. */
const pass = async (help: (id: string) => Promise<unknown>, after: string | null = null) => {
  const worked = await workThrough(
    {
      select: async (after, page) =>
        ids.filter((id) => after === null || id > after).slice(0, page),
      idOf: (id) => id,
      help,
    },
    after,
    log,
  )
  return worked.pass
}

test('every row of every page is helped once', async () => {
  const helped: string[] = []
  const done = await pass(async (id) => void helped.push(id))
  expect(helped.toSorted()).toEqual(ids)
  expect(done).toEqual({ done: 450, failed: 0, failures: [], next: null })
})

test('a row that fails keeps no other from its help', async () => {
  const helped: string[] = []
  const done = await pass(async (id) => {
    if (id.endsWith('7')) throw new Error('no')
    helped.push(id)
    return id !== 'row 000'
  })
  expect(helped).toHaveLength(405)
  expect(done).toMatchObject({ done: 404, failed: 45, next: null })
  expect(done.failures).toHaveLength(10)
  expect(done.failures[0]).toBe('row 007: no')
})

test('a pass continues after the row that the last one ended with', async () => {
  const helped: string[] = []
  await pass(async (id) => void helped.push(id), 'row 399')
  expect(helped.toSorted()).toEqual(ids.slice(400))
})

/** Erases numbers of a list, as a statement with `limit` and `offset` would. */
const erasing = (left: number[], poisoned: readonly number[] = []) => {
  const asked: number[] = []
  return {
    asked,
    async erase(limit: Limit) {
      const [count, skip] = typeof limit === 'number' ? [limit, 0] : (limit.values as number[])
      asked.push(count ?? 0)
      const due = left.slice(skip, (skip ?? 0) + (count ?? 0))
      if (due.some((one) => poisoned.includes(one))) throw new Error('no')
      left.splice(skip ?? 0, due.length)
      return due.length
    },
  }
}

test('rows are erased in bounded statements until none is left', async () => {
  const { asked, erase } = erasing(Array.from({ length: 2_500 }, (_, n) => n))
  const { pass } = await erasePast(log, { erase })
  expect(asked).toEqual([1_000, 1_000, 1_000])
  expect(pass).toMatchObject({ done: 2_500, next: null })
})

test('rows that cannot be erased keep no others from it', async () => {
  const left = Array.from({ length: 2_500 }, (_, n) => n)
  const { erase } = erasing(left, [0, 7, 1_234, 2_499])
  const { pass, failedRows } = await erasePast(log, { erase })
  expect(left).toEqual([0, 7, 1_234, 2_499])
  expect(pass).toMatchObject({ done: 2_496, failed: 4, next: null })
  expect(failedRows).toHaveLength(4)
})

test('an erasure that fails for every row ends with the failure', async () => {
  const erase = () => Promise.reject(new Error('no such table'))
  await expect(erasePast(log, { erase })).rejects.toThrow('no such table')
})

test('every step is taken before the failure of one is thrown', async () => {
  const taken: string[] = []
  const steps = {
    first: () => Promise.reject(new Error('no')),
    second: async () => void taken.push('second'),
  }
  await expect(eachStep(steps)).rejects.toThrow('failed: first: no')
  expect(taken).toEqual(['second'])
})
