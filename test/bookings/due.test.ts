import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/base/durations.ts'
import { defaultReminders } from '../../src/base/reminders.ts'
import {
  completesAt,
  dueNow,
  minutesOfReminder,
  nextDueAt,
  reminderShiftMs,
  remindersAhead,
  rescheduled,
  type Schedule,
} from '../../src/bookings/rules/due.ts'

const GRACE = 15
// The middle of the random range: reminders come on time, completions 15 minutes late.
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
    expect(nextDueAt(after, GRACE)).toEqual(new Date('2026-12-24T13:30:00Z'))
  })

  test('whose time had passed by confirmation are not sent', () => {
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

  test('can be turned off, and duplicates count once', () => {
    expect(remindersAhead(scheduleWith({ reminders: [] }))).toEqual([])
    const schedule = scheduleWith({ reminders: [5, 60, 60] })
    expect(remindersAhead(schedule).map(({ minutesBefore }) => minutesBefore)).toEqual([60, 5])
  })

  test('that are late are sent only before the slot, and only the latest one', () => {
    expect(dueNow(scheduleWith({}), GRACE, ahead(1441))).toBe('wait')
    expect(dueNow(scheduleWith({}), GRACE, ahead(1000))).toMatchObject({ minutesBefore: 1440 })
    expect(dueNow(scheduleWith({}), GRACE, ahead(1))).toMatchObject({ minutesBefore: 120 })
    expect(dueNow(scheduleWith({}), GRACE, starts_at)).toBe('wait')
    expect(dueNow(scheduleWith({}), GRACE, new Date('2026-12-24T13:30:00Z'))).toBe('complete')
  })
})

/** The id of a different booking, with this random part. */
const idWith = (random: number) => id.slice(0, -8) + random.toString(16).padStart(8, '0')
const anyRandom = fc.integer({ min: 0, max: 0xffffffff })
const anyMinutes = fc.integer({ min: 5, max: 43_200 })
/** All times at which a booking that was confirmed long before wakes up. */
const wakesOf = (schedule: Schedule) => [
  ...remindersAhead(schedule).map(({ dueAt }) => dueAt.getTime()),
  completesAt(schedule, GRACE).getTime(),
]

test('a reminder is early or late by at most half an hour, or an eighth of its lead time', () => {
  expect([1440, 240, 120, 60, 5].map((lead) => reminderShiftMs(lead) / MINUTE_MS)).toEqual([
    30, 30, 15, 7.5, 0.625,
  ])
  fc.assert(
    fc.property(anyRandom, anyMinutes, (random, lead) => {
      const own = scheduleWith({
        id: idWith(random),
        reminders: [lead],
        reminded_until: ahead(100_000),
      })
      const [reminder] = remindersAhead(own)
      const off = (reminder?.dueAt.getTime() ?? 0) - ahead(lead).getTime()
      expect(Math.abs(off)).toBeLessThanOrEqual(reminderShiftMs(lead) + 1)
      expect(remindersAhead(own)).toEqual([reminder])
      const msBefore = starts_at.getTime() - (reminder?.dueAt.getTime() ?? 0)
      expect(minutesOfReminder(own.id, msBefore)).toBe(lead)
    }),
  )
})

test('a booking that is confirmed shortly before a reminder does not get it at once', () => {
  const early = idWith(0x20000000)
  for (const minutes of [1469, 1450, 1441]) {
    const confirmed = scheduleWith({ id: early, reminded_until: ahead(minutes) })
    const [first] = remindersAhead(confirmed)
    expect(first).toMatchObject({ minutesBefore: 1440 })
    const wait = (first?.dueAt.getTime() ?? 0) - ahead(minutes).getTime()
    expect(wait).toBeGreaterThan(3 * MINUTE_MS)
  }
})

// A wake-up falls at a random time in a span: an hour for the reminder a day before, half an hour
// for the one two hours before and for the completion. The spans of a booking never overlap, so in
// any second one of n bookings wakes up with a probability of at most 1/1,800, whatever their
// slots: 50,000 bookings cause at most 28 wake-ups a second on average. These follow a Poisson
// distribution, which with a mean of 28 exceeds 75 once in 10^12 seconds.
const EVENING = 50_000
const MAX_WAKES = 75

test('50,000 bookings on one evening cause at most 75 wake-ups a second', () => {
  const slots = fc.uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 21 })
  fc.assert(
    fc.property(slots, fc.nat(), (quarters, seed) => {
      const wakes = new Map<number, number>()
      const random = randomFrom(seed)
      for (let n = 0; n < EVENING; n += 1) {
        const shift = (quarters[n % quarters.length] as number) * 15 * MINUTE_MS
        const own = scheduleWith({
          id: idWith(random()),
          starts_at: new Date(starts_at.getTime() + shift),
          ends_at: new Date(ends_at.getTime() + shift),
        })
        for (const at of wakesOf(own)) {
          const second = Math.floor(at / 1000)
          wakes.set(second, (wakes.get(second) ?? 0) + 1)
        }
      }
      expect([...wakes.values()].reduce((sum, count) => sum + count, 0)).toBe(3 * EVENING)
      expect(Math.max(...wakes.values())).toBeLessThanOrEqual(MAX_WAKES)
    }),
    { numRuns: 3 },
  )
})

/** 32-bit numbers, as evenly distributed as those of a UUID (mulberry32). */
function randomFrom(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

test('a booking completes within half an hour after its grace period', () => {
  const end = (random: number, grace: number) => completesAt({ id: idWith(random), ends_at }, grace)
  expect(end(0, 0).getTime()).toBeGreaterThan(ends_at.getTime())
  expect(end(0, GRACE)).toEqual(new Date('2026-12-24T13:15:00.001Z'))
  expect(end(0xffffffff, GRACE)).toEqual(new Date('2026-12-24T13:45:00Z'))
})

/**
 * A smaller number can put two reminders a minute apart, both overdue at the confirmation, in the
 * same millisecond; only the later one is then sent.
 */
const notTooSmall = fc.integer({ min: 2 ** 17, max: 0xffffffff })

test('a booking that wakes at every due time sends each reminder once and completes', () => {
  fc.assert(
    fc.property(
      fc.array(anyMinutes, { maxLength: 5 }),
      fc.integer({ min: 0, max: 50_000 }),
      notTooSmall,
      (reminders, confirmedBefore, random) => {
        const confirmedAt = ahead(confirmedBefore)
        let schedule = scheduleWith({ id: idWith(random), reminders, reminded_until: confirmedAt })
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
