import { randomUUIDv7 } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  completesAt,
  dueNow,
  nextDueAt,
  remindersAhead,
  rescheduled,
  type Schedule,
  spreadOf,
} from '../../src/bookings/rules/due.ts'
import { MINUTE_MS } from '../../src/contract/rules/durations.ts'
import { defaultReminders } from '../../src/contract/rules/reminders.ts'

const GRACE = 15
// The middle of the random part: no spread.
const id = '0197a1f0-0000-7000-8000-00007fffffff'
const starts_at = new Date('2026-12-24T11:00:00Z')
const ends_at = new Date('2026-12-24T13:00:00Z')
const ahead = (minutes: number) => new Date(starts_at.getTime() - minutes * MINUTE_MS)
const scheduleWith = (change: Partial<Schedule>): Schedule => ({
  id,
  starts_at,
  ends_at,
  reminders: defaultReminders,
  reminded_until: ahead(10_000),
  ...change,
})

describe('reminders', () => {
  test('are due a day and two hours before the slot, then the booking completes', () => {
    const schedule = scheduleWith({})
    expect(remindersAhead(schedule).map(({ dueAt }) => dueAt)).toEqual([ahead(1440), ahead(120)])
    expect(nextDueAt(schedule, GRACE)).toEqual(ahead(1440))
    const after = scheduleWith({ reminded_until: ahead(120) })
    expect(nextDueAt(after, GRACE)).toEqual(new Date('2026-12-24T13:15:00Z'))
  })

  test('whose time had passed at confirmation are not sent', () => {
    const schedule = scheduleWith({ reminded_until: ahead(60) })
    expect(remindersAhead(schedule)).toEqual([])
    const atTheMinute = scheduleWith({ reminded_until: ahead(120) })
    expect(remindersAhead(atTheMinute)).toEqual([])
  })

  test('move with the slot: those sent for the old time are sent again for a later one', () => {
    const reminded = scheduleWith({ reminded_until: ahead(120) })
    const by = (minutes: number) => ({
      starts_at: ahead(-minutes),
      ends_at: new Date(ends_at.getTime() + minutes * MINUTE_MS),
    })
    const sent = (schedule: Schedule) =>
      remindersAhead(schedule).map(({ minutesBefore }) => minutesBefore)
    expect(sent(rescheduled(reminded, by(3 * 1440), ahead(60)))).toEqual([1440, 120])
    expect(sent(rescheduled(reminded, by(180), ahead(60)))).toEqual([120])
    expect(sent(rescheduled(reminded, by(30), ahead(60)))).toEqual([])
  })

  test('are unchanged when something other than the slot is amended', () => {
    const sentEarly = scheduleWith({ reminded_until: ahead(120) })
    expect(rescheduled(sentEarly, { starts_at, ends_at }, ahead(121))).toEqual(sentEarly)
  })

  test('are none if none are wanted, and duplicates count once', () => {
    expect(remindersAhead(scheduleWith({ reminders: [] }))).toEqual([])
    const schedule = scheduleWith({ reminders: [5, 60, 60] })
    expect(remindersAhead(schedule).map(({ minutesBefore }) => minutesBefore)).toEqual([60, 5])
  })

  test('that are late are sent before the slot only, and only the latest', () => {
    expect(dueNow(scheduleWith({}), GRACE, ahead(1441))).toBe('wait')
    expect(dueNow(scheduleWith({}), GRACE, ahead(1000))).toMatchObject({ minutesBefore: 1440 })
    expect(dueNow(scheduleWith({}), GRACE, ahead(1))).toMatchObject({ minutesBefore: 120 })
    expect(dueNow(scheduleWith({}), GRACE, starts_at)).toBe('wait')
    expect(dueNow(scheduleWith({}), GRACE, new Date('2026-12-24T13:15:00Z'))).toBe('complete')
  })
})

test('bookings of one slot wake at fixed moments spread over four minutes', () => {
  const spreads = Array.from({ length: 10_000 }, () => spreadOf(randomUUIDv7()))
  const seconds = Map.groupBy(spreads, (ms) => Math.floor(ms / 1000))
  expect(Math.max(...[...seconds.values()].map((all) => all.length))).toBeLessThan(100)
  expect(Math.min(...spreads)).toBeGreaterThanOrEqual(-2 * MINUTE_MS)
  expect(Math.max(...spreads)).toBeLessThanOrEqual(2 * MINUTE_MS)
  const one = randomUUIDv7()
  expect(spreadOf(one)).toBe(spreadOf(one))
})

test('a booking never completes before its end, whatever the grace period', () => {
  const early = '0197a1f0-0000-7000-8000-000000000000'
  expect(completesAt({ id: early, ends_at }, 0)).toEqual(ends_at)
  expect(completesAt({ id: early, ends_at }, GRACE)).toEqual(new Date('2026-12-24T13:13:00Z'))
})

test('a booking that wakes at every due time sends each reminder once and completes', () => {
  const minutes = fc.integer({ min: 5, max: 43_200 })
  fc.assert(
    fc.property(
      fc.array(minutes, { maxLength: 5 }),
      fc.integer({ min: 0, max: 50_000 }),
      fc.integer({ min: 0, max: 0xffffffff }),
      (reminders, confirmedBefore, random) => {
        const confirmedAt = ahead(confirmedBefore)
        const own = id.slice(0, -8) + random.toString(16).padStart(8, '0')
        let schedule = scheduleWith({ id: own, reminders, reminded_until: confirmedAt })
        const sent: number[] = []
        for (;;) {
          const at = nextDueAt(schedule, GRACE)
          const due = dueNow(schedule, GRACE, at)
          if (due === 'complete') break
          if (due === 'wait') throw new Error('woken for nothing')
          sent.push(due.minutesBefore)
          schedule = { ...schedule, reminded_until: due.time }
        }
        const wanted = [...new Set(reminders)].filter((one) => one < confirmedBefore)
        expect(sent).toEqual(wanted.sort((a, b) => b - a))
      },
    ),
  )
})
