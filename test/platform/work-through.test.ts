import { expect, test } from 'vitest'
import { eachStep, workThrough } from '../../src/platform/process/work-through.ts'
import { readableLog } from '../support/lines.ts'

const ids = Array.from({ length: 450 }, (_, n) => `row ${String(n).padStart(3, '0')}`)
const { log } = readableLog()

/** Works through `ids`; `help` returns what handling a row would. */
const pass = async (help: (id: string) => Promise<unknown>, after: string | null = null) => {
  const worked = await workThrough(
    {
      select: async ({ after, limit }) =>
        ids.filter((id) => after === null || id > after).slice(0, limit),
      idOf: (id) => id,
      help,
    },
    after,
    log,
  )
  return worked.pass
}

test('every row of every page is handled once', async () => {
  const helped: string[] = []
  const done = await pass(async (id) => void helped.push(id))
  expect(helped.toSorted()).toEqual(ids)
  expect(done).toEqual({ done: 450, failed: 0, failures: [], next: null })
})

test('a failing row does not keep the others from being handled', async () => {
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

test('a pass continues after the last row of the previous one', async () => {
  const helped: string[] = []
  await pass(async (id) => void helped.push(id), 'row 399')
  expect(helped.toSorted()).toEqual(ids.slice(400))
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
