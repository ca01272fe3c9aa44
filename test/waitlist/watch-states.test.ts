import { expect, test } from 'vitest'
import { entryStatusesBefore, entryTransitions } from '../../src/waitlist/rules/entry.ts'
import { entryStatuses } from '../../src/waitlist/rules/entry-status.ts'

const isLive = (status: string) => ['watching', 'offered'].includes(status)

test('an ended watch stays ended, and a live one can always be cancelled or expire', () => {
  for (const status of entryStatuses) {
    if (!isLive(status)) expect(entryTransitions[status]).toEqual([])
    else expect(entryTransitions[status]).toEqual(expect.arrayContaining(['cancelled', 'expired']))
  }
})

test('only a watch with a hold can be fulfilled or wait again', () => {
  expect(entryStatusesBefore('fulfilled')).toEqual(['offered'])
  expect(entryStatusesBefore('watching')).toEqual(['offered'])
  expect(entryStatusesBefore('offered')).toEqual(['watching'])
})
