import type { BookingStatus } from '../../src/base/booking-status.ts'
import { HOUR_MS } from '../../src/base/durations.ts'
import type { ConfirmMode } from '../../src/base/venue-kinds.ts'
import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking } from '../../src/bookings/steps/decide-booking.ts'
import { openBooking } from '../../src/bookings/steps/open-booking.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { command } from './commands.ts'
import type { Predict, RequestedSlot } from './predictions.ts'
import * as model from './predictions.ts'
import { afterEnd, venueResponds, venueTimesOut } from './venue-responses.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

/**
 * An act on a booking by a caller, worker, venue or the clock, performed as in activities, with the
 * outcome that the model predicts when it runs alone.
 */
export type Operation = {
  name: string
  /** relative frequency under contention */
  weight: number
  /** how many callers it counts as; 1 by default */
  callers?: number
  /** a new request, or a booking in one of these statuses */
  on: 'request' | readonly BookingStatus[]
  /** purpose of a new request; by default it is confirmed at once */
  purpose?: 'hold'
  /** only at venues with these modes */
  at?: readonly ConfirmMode[]
  /** runs as of a time after the slot, so not where a waitlist still waits for the slot */
  isLate?: true
  run(world: World, start: BookingStart, requested: RequestedSlot): Promise<Outcome>
  predict: Predict
}

/** Whether the operation applies to a booking in this status; undefined means no booking. */
export const fits = (
  { on, at }: Operation,
  confirmMode: ConfirmMode,
  status: Outcome | undefined,
): boolean =>
  (at === undefined || at.includes(confirmMode)) &&
  (on === 'request' || (on as readonly (Outcome | undefined)[]).includes(status))

const now = () => new Date()
export const hoursFromNow = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
const decide = async (world: World, start: BookingStart, at: Date) =>
  outcomeOf(world, start, await decideBooking(world.db, start, stepDeps, at))

const open = async (world: World, start: BookingStart) => {
  const opening = await openBooking(world.db, start, now())
  return opening.state?.status ?? outcomeOf(world, start, opening)
}

/** Runs the due action of a booking as of `at`, as its workflow does. */
export const actDue = async ({ db }: World, start: BookingStart, at: Date) =>
  (await actWhenDue(db, start, stepDeps, at)).status

/** Modes in which the venue responds: by connector or by staff. */
const respondingModes = ['http', 'request'] as const
const staffModes = ['request'] as const

/** Every possible operation on a booking; contention and sequences draw from it. */
export const operations: readonly Operation[] = [
  {
    name: 'book',
    weight: 26,
    on: 'request',
    run: (world, start) => decide(world, start, now()),
    predict: model.predictBooking,
  },
  {
    name: 'book, on two workers at once',
    weight: 8,
    callers: 2,
    on: 'request',
    run: async (world, start) => {
      const both = [decide(world, start, now()), decide(world, start, now())]
      const [one, other] = await Promise.all(both)
      if (!one || one !== other) throw new Error(`one worker answered ${one}, the other ${other}`)
      return one
    },
    predict: model.predictBooking,
  },
  {
    name: 'open, then lose the worker',
    weight: 8,
    on: 'request',
    run: open,
    predict: model.predictOpening,
  },
  {
    name: 'hold',
    weight: 14,
    on: 'request',
    purpose: 'hold',
    run: (world, start) => decide(world, start, now()),
    predict: model.predictHold,
  },
  {
    name: 'extend the hold',
    weight: 8,
    on: ['held', 'released', 'expired', 'confirmed', 'pending'],
    run: (world, start) => command(world, start, 'extend'),
    predict: model.predictExtension,
  },
  {
    name: 'release the hold',
    weight: 8,
    on: ['held', 'released', 'expired', 'confirmed'],
    run: (world, start) => command(world, start, 'release'),
    predict: model.predictRelease,
  },
  {
    name: 'confirm the hold',
    weight: 14,
    on: ['held', 'pending', 'offered', 'confirmed', 'released', 'expired', 'completed'],
    run: (world, start) => command(world, start, 'confirm'),
    predict: model.predictConfirmation,
  },
  {
    name: 'confirm the hold too late',
    weight: 6,
    on: ['held'],
    isLate: true,
    run: (world, start) => command(world, start, 'confirm', { at: afterEnd(start) }),
    predict: model.predictTooLate,
  },
  {
    name: 'the hold expires',
    weight: 10,
    on: ['held', 'confirmed', 'released'],
    run: (world, start) => actDue(world, start, hoursFromNow(1)),
    predict: model.predictHoldExpiry,
  },
  {
    name: 'amend',
    weight: 16,
    on: [
      'held',
      'pending',
      'offered',
      'confirmed',
      'expired',
      'released',
      'cancelled',
      'completed',
    ],
    run: (world, start, { slotTime, partySize }) =>
      command(world, start, 'amend', { input: { slot_time: slotTime, party_size: partySize } }),
    predict: model.predictAmendment,
  },
  {
    name: 'cancel',
    weight: 14,
    on: [
      'held',
      'pending',
      'offered',
      'confirmed',
      'cancelled',
      'released',
      'completed',
      'no_show',
    ],
    run: (world, start) => command(world, start, 'cancel', { input: { by: 'guest' } }),
    predict: model.predictCancellation,
  },
  {
    name: 'cancel late',
    weight: 6,
    on: ['confirmed'],
    run: (world, start) =>
      command(world, start, 'cancel', { at: new Date(Date.parse(start.startsAt) - 60_000) }),
    predict: model.endsAs('confirmed', 'cancelled'),
  },
  {
    name: 'repeat the decision',
    weight: 8,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired', 'cancelled', 'completed'],
    run: (world, start) => decide(world, start, now()),
    predict: model.unchanged,
  },
  {
    name: 'complete after its end',
    weight: 14,
    on: ['confirmed', 'completed', 'cancelled', 'expired'],
    isLate: true,
    run: (world, start) => actDue(world, start, afterEnd(start)),
    predict: model.endsAs('confirmed', 'completed'),
  },
  {
    name: 'complete too early',
    weight: 3,
    on: ['confirmed'],
    run: (world, start) => actDue(world, start, now()),
    predict: model.unchanged,
  },
  {
    name: 'the venue confirms',
    weight: 14,
    on: ['pending', 'offered', 'confirmed'],
    at: respondingModes,
    run: (world, start) => venueResponds(world, start, 'confirmed'),
    predict: model.predictVenueConfirms,
  },
  {
    name: 'the venue declines',
    weight: 10,
    on: ['pending', 'offered', 'confirmed'],
    at: respondingModes,
    run: (world, start) => venueResponds(world, start, 'declined'),
    predict: model.predictVenueDeclines,
  },
  {
    name: 'the venue cancels',
    weight: 8,
    on: ['pending', 'offered', 'confirmed', 'expired', 'cancelled'],
    at: respondingModes,
    run: (world, start) => venueResponds(world, start, 'cancelled'),
    predict: model.predictVenueCancels,
  },
  {
    name: 'the venue confirms an ended booking',
    weight: 4,
    on: ['declined', 'expired', 'cancelled'],
    at: respondingModes,
    run: (world, start) => venueResponds(world, start, 'confirmed'),
    predict: model.unchanged,
  },
  {
    name: 'the venue times out',
    weight: 10,
    on: ['pending', 'offered', 'confirmed', 'declined'],
    at: respondingModes,
    run: venueTimesOut,
    predict: model.predictTimeout,
  },
  {
    name: 'staff are reminded',
    weight: 4,
    on: ['pending', 'offered', 'confirmed'],
    at: staffModes,
    run: (world, start) => actDue(world, start, hoursFromNow(1 / 6)),
    predict: model.unchanged,
  },
  {
    name: 'staff offer another time',
    weight: 14,
    on: ['pending', 'offered', 'confirmed', 'cancelled'],
    at: staffModes,
    run: (world, start, { slotTime }) =>
      venueResponds(world, start, 'offered', { offered: slotTime }),
    predict: model.predictOffer,
  },
  {
    name: 'accept the offer',
    weight: 10,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired'],
    at: staffModes,
    run: (world, start) => command(world, start, 'accept_offer'),
    predict: model.predictAcceptance,
  },
  {
    name: 'refuse the offer',
    weight: 6,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired'],
    at: staffModes,
    run: (world, start) => command(world, start, 'refuse_offer'),
    predict: model.predictRejection,
  },
  {
    name: 'no-show',
    weight: 6,
    on: ['confirmed', 'completed', 'no_show', 'cancelled'],
    at: staffModes,
    isLate: true,
    run: (world, start) => venueResponds(world, start, 'no_show', { at: afterEnd(start) }),
    predict: model.predictNoShow,
  },
  {
    name: 'no-show withdrawn',
    weight: 6,
    on: ['confirmed', 'completed', 'no_show'],
    at: staffModes,
    isLate: true,
    run: (world, start) => venueResponds(world, start, 'attended', { at: afterEnd(start) }),
    predict: model.endsAs('no_show', 'completed'),
  },
]
