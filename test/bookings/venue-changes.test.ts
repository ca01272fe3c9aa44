import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bookingStatuses } from '../../src/base/booking-status.ts'
import { changePhases } from '../../src/bookings/rules/booking.ts'
import {
  decidedStatuses,
  type RequestedChange,
  type ResponseEffect,
  type ResponseSubject,
  resolveVenueResponse,
  type VenueResponse,
} from '../../src/confirmation/rules/venue-responses.ts'

const at = new Date('2026-12-20T09:10:00Z')
const change: RequestedChange = {
  phase: 'asked',
  revision: 4,
  starts_at: new Date('2026-12-25T11:00:00Z'),
}
const asked: ResponseSubject = {
  status: 'confirmed',
  confirm_mode: 'http',
  revision: 4,
  starts_at: new Date('2026-12-24T11:00:00Z'),
  ends_at: new Date('2026-12-24T12:30:00Z'),
  answer_by: new Date('2026-12-20T09:15:00Z'),
  asked_revision: 2,
  answered_at: new Date('2026-12-20T08:09:00Z'),
  withdraw_due: false,
  change,
  declined_revision: null,
}
const restoring: ResponseSubject = {
  ...asked,
  revision: 5,
  change: { phase: 'restoring', revision: 5, starts_at: asked.starts_at },
}
const declinedBefore: ResponseSubject = {
  ...asked,
  change: null,
  revision: 5,
  declined_revision: 4,
}
const yes: VenueResponse = {
  status: 'confirmed',
  revision: 4,
  answered_at: new Date('2026-12-20T09:09:00Z'),
  received_at: new Date('2026-12-20T09:09:01Z'),
}
const no: VenueResponse = { ...yes, status: 'declined' }
const late = { received_at: new Date('2026-12-20T09:15:00.001Z') }
const agedClock = { answered_at: new Date(0) }

test.each([
  ['a yes in time to a change amends', asked, yes, 'amend'],
  ['a yes at answer_by is in time', asked, { ...yes, received_at: asked.answer_by }, 'amend'],
  ['a yes after answer_by must be reverted', asked, { ...yes, ...late }, 'restore'],
  ['a yes after the slot has begun must be reverted', { ...asked, starts_at: at }, yes, 'restore'],
  [
    'a yes after the requested slot has begun must be reverted',
    { ...asked, change: { ...change, starts_at: at } },
    yes,
    'restore',
  ],
  ['a no to a change keeps the booking', asked, no, 'keep'],
  ['a late no to a change keeps the booking', asked, { ...no, ...late }, 'keep'],
  [
    'the revision decides what a yes is about, not the clock',
    asked,
    { ...yes, ...agedClock },
    'amend',
  ],
  ['the revision decides what a no means, not the clock', asked, { ...no, ...agedClock }, 'keep'],
  ['the old yes repeated changes nothing', asked, { ...yes, revision: 2 }, 'repeated'],
  ['a no to the current booking ends it', asked, { ...no, revision: 2 }, 'cancel'],
  ['"cancelled" ends the booking', asked, { ...no, status: 'cancelled' }, 'cancel'],
  [
    '"cancelled" of the current booking ends it',
    asked,
    { ...no, status: 'cancelled', revision: 2 },
    'cancel',
  ],
  ['a yes to an unknown revision is ignored', asked, { ...yes, revision: 3 }, 'other_revision'],
  ['the venue restores the booking', restoring, { ...yes, revision: 5 }, 'restored'],
  [
    'the venue restores the booking, however late',
    restoring,
    { ...yes, ...late, revision: 5 },
    'restored',
  ],
  ['the venue cannot restore the booking', restoring, { ...no, revision: 5 }, 'not_restored'],
  ['a yes to an abandoned change is ignored', restoring, yes, 'other_revision'],
  ['a no to an abandoned change is ignored', restoring, no, 'other_revision'],
  [
    '"cancelled" instead of restoring',
    restoring,
    { ...no, status: 'cancelled', revision: 5 },
    'cancel',
  ],
  ['a yes after a no must be reverted', declinedBefore, yes, 'restore'],
  ['a repeated no is ignored', declinedBefore, no, 'other_revision'],
  [
    'a yes after a no must be reverted, even during another change',
    { ...asked, revision: 7, change: { ...change, revision: 7 }, declined_revision: 4 },
    yes,
    'restore',
  ],
  [
    'a yes to what was declined long before is ignored',
    { ...declinedBefore, revision: 9, asked_revision: 8 },
    yes,
    'other_revision',
  ],
] as [string, ResponseSubject, VenueResponse, ResponseEffect][])(
  '%s',
  (_, booking, statement, effect) => {
    expect(resolveVenueResponse(booking, statement, at)).toBe(effect)
  },
)

test('property: only a timely yes to the change amends the booking', () => {
  const instant = fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
  const booking = fc.record({
    status: fc.constantFrom(...bookingStatuses),
    confirm_mode: fc.constant('http' as const),
    revision: fc.nat(6),
    starts_at: instant,
    ends_at: instant,
    answer_by: fc.option(instant),
    asked_revision: fc.option(fc.nat(6)),
    answered_at: fc.option(instant),
    withdraw_due: fc.boolean(),
    change: fc.option(
      fc.record({
        phase: fc.constantFrom(...changePhases),
        revision: fc.nat(6),
        starts_at: instant,
      }),
    ),
    declined_revision: fc.option(fc.nat(6)),
  })
  const statement = fc.record({
    status: fc.constantFrom(...decidedStatuses),
    revision: fc.nat(6),
    answered_at: instant,
    received_at: instant,
  })
  const ofChanges = ['amend', 'keep', 'restore', 'restored', 'not_restored']
  fc.assert(
    fc.property(booking, statement, instant, (one, said, now) => {
      const effect = resolveVenueResponse(one, said, now)
      if (ofChanges.includes(effect)) expect(one.status).toBe('confirmed')
      if (effect === 'amend') {
        expect(one.change).toMatchObject({ phase: 'asked', revision: said.revision })
        expect(said.status).toBe('confirmed')
        expect(said.received_at.getTime()).toBeLessThanOrEqual(one.answer_by?.getTime() ?? -1)
        expect(one.starts_at.getTime()).toBeGreaterThan(now.getTime())
      }
      if (effect === 'restored' || effect === 'not_restored') {
        expect(one.change).toMatchObject({ phase: 'restoring', revision: said.revision })
      }
      if (effect === 'keep') expect(said.status).toBe('declined')
      if (effect === 'restore') expect(said.status).toBe('confirmed')
    }),
  )
})
