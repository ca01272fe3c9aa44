import { expect, test } from 'vitest'
import { Refusal } from '../../src/base/errors.ts'
import { createFairQueue } from '../../src/platform/process/fair-queue.ts'

/** Work that ends on request and records when it begins. */
function openWork(queue: ReturnType<typeof createFairQueue>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const submit = (name: string) =>
    queue(name[0] ?? '', () => {
      begun.push(name)
      return new Promise<void>((end) => ends.set(name, end))
    }).then(
      () => 'done',
      (error) => (error instanceof Refusal ? error.data.code : String(error)),
    )
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { begun, submit, end }
}

test('callers take turns, however much one of them has requested', async () => {
  const { begun, submit, end } = openWork(createFairQueue({ atOnce: 1, maxWaiting: 10 }))
  for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) submit(name)
  for (let n = 0; n < 6; n += 1) await end(begun.at(-1) ?? '')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
})

test('a caller has a share, and what it leaves free serves others at once', async () => {
  const { begun, submit, end } = openWork(
    createFairQueue({ atOnce: 3, perCaller: 2, maxWaiting: 10 }),
  )
  for (const name of ['a1', 'a2', 'a3', 'b1', 'b2']) submit(name)
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'b2', 'a3'])
})

test('a full queue refuses the newest work of the caller with the most waiting', async () => {
  const { begun, submit, end } = openWork(createFairQueue({ atOnce: 1, maxWaiting: 3 }))
  const [running, , , refused] = ['a1', 'a2', 'a3', 'a4'].map(submit)
  const other = submit('b1')
  expect(await refused).toBe('overloaded')
  await end('a1')
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  await end('b1')
  expect(await Promise.all([running, other])).toEqual(['done', 'done'])
})

test('work that cannot begin in time is refused, and work that fails makes room', async () => {
  const queue = createFairQueue({ atOnce: 1, maxWaiting: 3, patienceMs: 20 })
  const { submit, end } = openWork(queue)
  submit('a1')
  expect(await submit('b1')).toBe('overloaded')
  await end('a1')
  const failing = queue('c', () => Promise.reject(new Error('broken')))
  await expect(failing).rejects.toThrow('broken')
  expect(await queue('c', async () => 'free')).toBe('free')
})
