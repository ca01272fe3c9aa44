import { expect, test } from 'vitest'
import { unlessFarOff } from '../../src/bookings/operations/unless-far-off.ts'

const never = new Promise<never>(() => {})

test('a caller is released when a later look finds that nobody is there', async () => {
  let looks = 0
  const isFarOff = async () => {
    looks += 1
    return looks === 2
  }
  expect(await unlessFarOff(never, isFarOff)).toBeNull()
  expect(looks).toBe(2)
})

test('an answer ends the wait, and a look that fails does not', async () => {
  const answer = Promise.withResolvers<string>()
  const isFarOff = async () => {
    answer.resolve('confirmed')
    throw new Error('the database is down')
  }
  expect(await unlessFarOff(answer.promise, isFarOff)).toBe('confirmed')
})
