import { expect, test } from 'vitest'
import { createKeyedQueue } from '../../src/platform/process/turns.ts'

const patienceMs = 60_000
const none = async () => undefined

/** Callers that work until they are released. */
function openLine(limits = { atOnce: 2, aheadMs: 60_000 }) {
  const turn = createKeyedQueue(limits)
  const working: ((answer: string) => void)[] = []
  const work = () => new Promise<string>((resolve) => working.push(resolve))
  const settled = () => new Promise(setImmediate)
  return { turn, working, work, settled }
}

test('callers beyond the limit wait, and then work if there is no answer', async () => {
  const { turn, working, work, settled } = openLine()
  const all = Array.from({ length: 3 }, () => turn('slot', { work, instead: none, patienceMs }))
  await settled()
  expect(working).toHaveLength(2)
  working[0]?.('first')
  await settled()
  expect(working).toHaveLength(3)
  working[1]?.('second')
  working[2]?.('third')
  expect(await Promise.all(all)).toEqual(['first', 'second', 'third'])
})

test('a caller that had to wait takes an answer found by then, and does not work', async () => {
  const { turn, working, work, settled } = openLine()
  let taken: string | undefined
  const instead = async () => taken
  const all = Array.from({ length: 9 }, () => turn('slot', { work, instead, patienceMs }))
  await settled()
  taken = 'taken'
  working[0]?.('won')
  expect(await Promise.all([...all.slice(0, 1), ...all.slice(2)])).toEqual([
    'won',
    ...Array.from({ length: 7 }, () => 'taken'),
  ])
  working[1]?.('lost')
  expect(await all[1]).toBe('lost')
  expect(working).toHaveLength(2)
})

test('other names do not wait, and a caller at the front checks for no other answer', async () => {
  const { turn, working, work, settled } = openLine({ atOnce: 1, aheadMs: 60_000 })
  const instead = async () => 'not asked for'
  const all = ['one', 'other'].map((name) => turn(name, { work, instead, patienceMs }))
  await settled()
  expect(working).toHaveLength(2)
  for (const done of working) done('worked')
  expect(await Promise.all(all)).toEqual(['worked', 'worked'])
})

test('slow or failing work does not block the others', async () => {
  const { turn, working, work } = openLine({ atOnce: 1, aheadMs: 1 })
  const first = turn('slot', { work, instead: none, patienceMs })
  const fail = () => Promise.reject(new Error('failed'))
  await expect(turn('slot', { work: fail, instead: none, patienceMs })).rejects.toThrow('failed')
  const last = turn('slot', { work: async () => 'last', instead: none, patienceMs })
  expect(await last).toBe('last')
  working[0]?.('first')
  expect(await first).toBe('first')
})

test('nobody waits longer than their patience', async () => {
  const { turn, working, work } = openLine({ atOnce: 1, aheadMs: 60_000 })
  const first = turn('slot', { work, instead: none, patienceMs })
  const second = turn('slot', { work: async () => 'second', instead: none, patienceMs: 1 })
  expect(await second).toBe('second')
  working[0]?.('first')
  expect(await first).toBe('first')
})
