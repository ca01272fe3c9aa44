import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isFreeAtVenue } from '../../src/availability/rules/mirror.ts'
import { bookingStatuses } from '../../src/base/booking-status.ts'
import { confirmModes } from '../../src/base/venue-kinds.ts'
import { GRACE_MS } from '../../src/bookings/rules/in-time.ts'
import {
  pauseUntilNextCall,
  pauseUntilNextWithdrawal,
} from '../../src/confirmation/rules/venue-patience.ts'
import {
  decidedStatuses,
  type ResponseSubject,
  resolveVenueResponse,
  type VenueResponse,
} from '../../src/confirmation/rules/venue-responses.ts'

const at = new Date('2026-12-20T08:10:00Z')
const pending: ResponseSubject = {
  status: 'pending',
  confirm_mode: 'http',
  revision: 2,
  starts_at: new Date('2026-12-24T11:00:00Z'),
  ends_at: new Date('2026-12-24T12:30:00Z'),
  answer_by: new Date('2026-12-20T08:15:00Z'),
  asked_revision: 2,
  answered_at: null,
  withdraw_due: false,
  change: null,
  declined_revision: null,
}
const yes: VenueResponse = {
  status: 'confirmed',
  revision: 2,
  answered_at: new Date('2026-12-20T08:09:00Z'),
  received_at: new Date('2026-12-20T08:09:01Z'),
}
const no: VenueResponse = { ...yes, status: 'declined' }
const later = { answered_at: new Date('2026-12-20T08:09:30Z') }
const confirmed: ResponseSubject = {
  ...pending,
  status: 'confirmed',
  answered_at: yes.answered_at,
}

const atPerson: ResponseSubject = { ...pending, confirm_mode: 'request' }
const begun = new Date('2026-12-24T11:30:00Z')
const visit = { ...yes, answered_at: begun, received_at: begun }
const missed: ResponseSubject = { ...confirmed, status: 'no_show', answered_at: begun }

describe('a response of the venue', () => {
  test.each([
    ['a yes in time confirms', pending, yes, 'confirm'],
    ['a no declines', pending, no, 'decline'],
    [
      'staff cannot cancel a visit that has begun',
      { ...confirmed, confirm_mode: 'request' },
      { ...visit, status: 'cancelled' },
      'over',
    ],
    ['"cancelled" before any yes is a no', pending, { ...no, status: 'cancelled' }, 'decline'],
    [
      'a yes received after answer_by is too late, whatever its timestamp',
      pending,
      { ...yes, received_at: new Date('2026-12-20T08:15:00.001Z') },
      'expire',
    ],
    [
      'a yes received at answer_by is in time',
      pending,
      { ...yes, received_at: pending.answer_by },
      'confirm',
    ],
    ['a yes for a slot that has begun is too late', { ...pending, starts_at: at }, yes, 'expire'],
    ['a yes to an earlier revision is ignored', pending, { ...yes, revision: 1 }, 'other_revision'],
    ['a no to an unknown revision is ignored', pending, { ...no, revision: 3 }, 'other_revision'],
    ['the same yes again changes nothing', confirmed, yes, 'repeated'],
    ['another yes changes nothing', confirmed, { ...yes, ...later }, 'repeated'],
    ['a later no cancels', confirmed, { ...no, ...later }, 'cancel'],
    [
      '"cancelled" cancels',
      confirmed,
      { ...no, ...later, status: 'cancelled', revision: 3 },
      'cancel',
    ],
    ['an older no is superseded', confirmed, { ...no, answered_at: new Date(0) }, 'superseded'],
    ['a yes after the end must be withdrawn', { ...pending, status: 'expired' }, yes, 'withdraw'],
    ['a yes after a no must be withdrawn', { ...pending, status: 'declined' }, yes, 'withdraw'],
    [
      'an acknowledged withdrawal is complete',
      { ...pending, status: 'expired', withdraw_due: true },
      { ...no, status: 'cancelled', revision: 4 },
      'withdrawn',
    ],
    [
      'an acknowledged withdrawal is complete, even if the venue’s clock went back',
      { ...confirmed, status: 'expired', revision: 4, withdraw_due: true },
      { ...no, status: 'cancelled', revision: 4, answered_at: new Date(0) },
      'withdrawn',
    ],
    [
      'an older no from before the withdrawal does not acknowledge it',
      { ...confirmed, status: 'expired', revision: 4, withdraw_due: true },
      { ...no, answered_at: new Date(0) },
      'superseded',
    ],
    ['another time in time is an offer', pending, { ...no, status: 'offered' }, 'offer'],
    [
      'another time after answer_by is too late',
      pending,
      { ...no, status: 'offered', received_at: new Date('2026-12-20T08:15:00.001Z') },
      'expire',
    ],
    [
      'another time for a confirmed booking is ignored',
      confirmed,
      { ...no, ...later, status: 'offered' },
      'over',
    ],
    ['a no withdraws an offer', { ...pending, status: 'offered' }, no, 'decline'],
    ['a yes does not undo an offer', { ...atPerson, status: 'offered' }, yes, 'over'],
    [
      'a no of one person to what a colleague accepted is ignored',
      { ...atPerson, status: 'confirmed' },
      no,
      'over',
    ],
    [
      'staff cancel a confirmed booking',
      { ...atPerson, status: 'confirmed' },
      { ...no, status: 'cancelled' },
      'cancel',
    ],
    [
      'a staff member’s yes after the end needs no withdrawal',
      { ...atPerson, status: 'expired' },
      yes,
      'over',
    ],
    ['a no-show', confirmed, { ...visit, status: 'no_show' }, 'no_show'],
    [
      'a no-show after completion',
      { ...confirmed, status: 'completed' },
      { ...visit, status: 'no_show' },
      'no_show',
    ],
    [
      'a no-show before the slot',
      confirmed,
      { ...visit, status: 'no_show', received_at: at },
      'too_early',
    ],
    [
      'a no-show after 48 hours',
      confirmed,
      { ...visit, status: 'no_show', received_at: new Date('2026-12-26T12:30:00.001Z') },
      'too_late',
    ],
    ['a no-show of an unconfirmed booking', pending, { ...visit, status: 'no_show' }, 'over'],
    [
      'a corrected no-show',
      missed,
      {
        ...visit,
        status: 'attended',
        answered_at: new Date('2026-12-26T11:29:00Z'),
        received_at: new Date('2026-12-26T11:29:00Z'),
      },
      'attended',
    ],
    [
      'a corrected no-show, 48 hours later',
      missed,
      {
        ...visit,
        status: 'attended',
        answered_at: new Date('2026-12-26T11:31:00Z'),
        received_at: new Date('2026-12-26T11:31:00Z'),
      },
      'too_late',
    ],
    [
      'a booking that took place does not change',
      { ...confirmed, status: 'completed' },
      { ...no, ...later },
      'over',
    ],
  ] as [string, ResponseSubject, VenueResponse, string][])(
    '%s',
    (_, booking, statement, effect) => {
      expect(resolveVenueResponse(booking, statement, at)).toBe(effect)
    },
  )

  test('property: only a timely yes to a pending booking confirms, and it counts once', () => {
    const instant = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
    const booking = fc.record({
      status: fc.constantFrom(...bookingStatuses),
      confirm_mode: fc.constantFrom(...confirmModes),
      revision: fc.nat(5),
      starts_at: instant,
      ends_at: instant,
      answer_by: fc.option(instant),
      asked_revision: fc.option(fc.nat(5)),
      answered_at: fc.option(instant),
      withdraw_due: fc.boolean(),
      change: fc.constant(null),
      declined_revision: fc.constant(null),
    })
    const statement = fc.record({
      status: fc.constantFrom(...decidedStatuses),
      revision: fc.nat(5),
      answered_at: instant,
      received_at: instant,
    })
    fc.assert(
      fc.property(booking, statement, instant, (asked, said, now) => {
        const effect = resolveVenueResponse(asked, said, now)
        if (effect === 'confirm') {
          expect(asked.status).toBe('pending')
          expect(said.status).toBe('confirmed')
          expect(said.received_at.getTime()).toBeLessThanOrEqual(asked.answer_by?.getTime() ?? -1)
          expect(asked.starts_at.getTime()).toBeGreaterThan(now.getTime())
        }
        if (effect === 'cancel') expect(asked.status).toBe('confirmed')
        const withdraw_due = asked.withdraw_due && effect !== 'withdrawn'
        const after = { ...asked, withdraw_due, answered_at: said.answered_at }
        expect(['repeated', 'superseded']).toContain(resolveVenueResponse(after, said, now))
      }),
    )
  })
})

describe('how often a venue is called', () => {
  const calls = (heard: 'nothing' | 'pending', minutes: number) => {
    const answer_by = minutes * 60_000
    const times = [0]
    for (let now = 0, tries = 1; ; tries += 1) {
      now += pauseUntilNextCall(heard, tries, now, answer_by)
      if (now >= answer_by) {
        expect(now).toBe(answer_by + GRACE_MS)
        return times
      }
      times.push(now)
    }
  }

  test('a silent venue after 1, 2, 4 … 30 s, and a last time just before answer_by', () => {
    const times = calls('nothing', 15)
    expect(times.slice(0, 6)).toEqual([0, 1000, 3000, 7000, 15_000, 31_000])
    expect(times.length).toBeLessThan(45)
    expect(15 * 60_000 - (times.at(-1) ?? 0)).toBeLessThanOrEqual(10_000)
  })

  test('an undecided venue is called less often', () => {
    expect(calls('pending', 15).length).toBeLessThan(15)
  })

  test('property: each call is later than the last and not after answer_by, until the end', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('nothing' as const, 'pending' as const, 'decided' as const),
        fc.integer({ min: 1, max: 1000 }),
        fc.integer({ min: 1, max: 86_400_000 }),
        (heard, tries, left) => {
          const pause = pauseUntilNextCall(heard, tries, 0, left)
          expect(pause).toBeGreaterThan(0)
          const isCall = pause !== left + GRACE_MS
          if (isCall) expect(pause).toBeLessThan(left)
        },
      ),
    )
  })

  test('a withdrawal is repeated with pauses of up to an hour', () => {
    expect([1, 2, 3, 40].map(pauseUntilNextWithdrawal)).toEqual([1000, 2000, 4000, 3_600_000])
  })
})

describe('the availability that a venue reports', () => {
  const slot = { slot_time: '2026-12-24T19:00:00', party_min: 2, party_max: 6, places_left: 4 }
  const day = new Map([[slot.slot_time, slot]])
  test.each([
    [null, 2, true],
    [day, 2, true],
    [day, 1, false],
    [day, 5, false],
    [day, 7, false],
    [new Map([[slot.slot_time, { ...slot, places_left: null }]]), 6, true],
    [new Map(), 2, false],
  ])('limits parties (%o, %i guests)', (said, guests, free) => {
    expect(isFreeAtVenue(said, slot.slot_time, guests)).toBe(free)
  })
})
