import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { underLoad } from '../../tools/cluster/upgrade/callers.ts'

const unreachable = () => Promise.reject(new Error('the API is gone'))

test('a drill that fails stops its load and ends, even if every call fails at once', async () => {
  const drill = underLoad({ book: unreachable, command: unreachable }, async () => {
    await setImmediate()
    throw new Error('the roll-back failed')
  })
  await expect(drill).rejects.toThrow('the roll-back failed')
})

test('what was refused to callers is reported once the work is done', async () => {
  const faults = await underLoad({ book: unreachable, command: unreachable }, async () => {}, 1)
  expect(faults).toEqual(['the API is gone'])
})
