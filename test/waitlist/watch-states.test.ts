import { expect, test } from 'vitest'
import { watchesBefore, watchStatuses, watchTransitions } from '../../src/waitlist/rules/watch.ts'

const isLive = (status: string) => ['watching', 'offered'].includes(status)

test('a watch that is over stays over, and a live one can always be cancelled or expire', () => {
  for (const status of watchStatuses) {
    if (!isLive(status)) expect(watchTransitions[status]).toEqual([])
    else expect(watchTransitions[status]).toEqual(expect.arrayContaining(['cancelled', 'expired']))
  }
})

test('only a watcher that has a hold can be fulfilled or wait again', () => {
  expect(watchesBefore('fulfilled')).toEqual(['offered'])
  expect(watchesBefore('watching')).toEqual(['offered'])
  expect(watchesBefore('offered')).toEqual(['watching'])
})
