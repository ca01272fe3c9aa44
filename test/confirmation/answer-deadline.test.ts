import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OpeningHours } from '../../src/availability/rules/slots.ts'
import { answerTimes } from '../../src/confirmation/rules/answer-deadline.ts'
import { rulesWith } from '../support/rules.ts'

/** Open Monday to Saturday, 17:00 to 23:00 in Bali, which is 09:00 to 15:00 UTC. */
const windows = [1, 2, 3, 4, 5, 6].map((day) => ({ day, open: '17:00', close: '23:00' }))
const hours: OpeningHours = {
  rules: rulesWith({ windows }),
  exceptions: [],
  timezone: 'Asia/Makassar',
}

const times = (at: string, startsAt: string, of = hours) => {
  const asked = { at: new Date(at), startsAt: new Date(startsAt), minutes: 30 }
  const { answerBy, remindAt } = answerTimes(of, asked)
  return [remindAt.toISOString().slice(0, 16), answerBy.toISOString().slice(0, 16)]
}

describe('staff have half an hour to respond', () => {
  test.each([
    ['while the venue is open', '2026-12-21T10:00Z', ['2026-12-21T10:15', '2026-12-21T10:30']],
    ['from its next opening', '2026-12-21T02:00Z', ['2026-12-21T09:15', '2026-12-21T09:30']],
    ['after a day of rest', '2026-12-20T02:00Z', ['2026-12-21T09:15', '2026-12-21T09:30']],
    [
      'past closing time, the rest at the next opening',
      '2026-12-21T14:50Z',
      ['2026-12-22T09:05', '2026-12-22T09:20'],
    ],
  ])('%s', (_, at, expected) => {
    expect(times(at, '2026-12-24T11:00Z')).toEqual(expected)
  })

  test('the slot itself is the latest deadline', () => {
    expect(times('2026-12-21T10:00Z', '2026-12-21T10:20Z')).toEqual([
      '2026-12-21T10:15',
      '2026-12-21T10:20',
    ])
    expect(times('2026-12-21T02:00Z', '2026-12-21T09:00Z')).toEqual([
      '2026-12-21T05:30',
      '2026-12-21T09:00',
    ])
  })

  test('opening hours after midnight belong to the previous day', () => {
    const late = windows.map((window) => ({ ...window, close: '26:00' }))
    const bar = { ...hours, rules: rulesWith({ windows: late }) }
    expect(times('2026-12-21T17:00Z', '2026-12-24T11:00Z', bar)).toEqual([
      '2026-12-21T17:15',
      '2026-12-21T17:30',
    ])
  })

  test('a closed day does not count', () => {
    const nyepi = { date: '2026-12-21', windows: [], reason: 'Nyepi' }
    const closed = { ...hours, exceptions: [nyepi] }
    expect(times('2026-12-21T10:00Z', '2026-12-24T11:00Z', closed)).toEqual([
      '2026-12-22T09:15',
      '2026-12-22T09:30',
    ])
  })

  test('property: the reminder precedes the deadline, which is at or before the slot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 20_000 }),
        fc.integer({ min: 1, max: 20_000 }),
        fc.integer({ min: 1, max: 1440 }),
        (minute, ahead, minutes) => {
          const at = new Date(Date.parse('2026-12-20T00:00Z') + minute * 60_000)
          const startsAt = new Date(at.getTime() + ahead * 60_000)
          const { answerBy, remindAt } = answerTimes(hours, { at, startsAt, minutes })
          expect(remindAt > at && remindAt < answerBy && answerBy <= startsAt).toBe(true)
        },
      ),
    )
  })
})
