import { expect, test } from 'vitest'
import { unlessUnattended } from '../../src/bookings/operations/unless-far-off.ts'

const never = new Promise<never>(() => {})

test('a caller is released when a later check finds that nobody is there', async () => {
  let looks = 0
  const isUnattended = async () => {
    looks += 1
    return looks === 2
  }
  expect(await unlessUnattended(never, isUnattended)).toBeNull()
  expect(looks).toBe(2)
})

test('an answer ends the wait, and a failing check does not', async () => {
  const answer = Promise.withResolvers<string>()
  const isUnattended = async () => {
    answer.resolve('confirmed')
    throw new Error('the database is down')
  }
  expect(await unlessUnattended(answer.promise, isUnattended)).toBe('confirmed')
})
