import type { BookingStart } from '../../src/bookings/rules/booking-messages.ts'
import { actWhenDue } from '../../src/bookings/steps/act-when-due.ts'
import { decideBooking, openBooking } from '../../src/bookings/steps/decide-booking.ts'
import type { BookingStatus } from '../../src/contract/rules/booking-status.ts'
import type { ConfirmMode } from '../../src/contract/rules/venue-kinds.ts'
import { stepDeps } from '../../test/support/terms.ts'
import { command } from './commands.ts'
import type { Predict, Wish } from './predictions.ts'
import * as model from './predictions.ts'
import { afterItsEnd, venueIsSilent, venueSays } from './venue-words.ts'
import { type Outcome, outcomeOf, type World } from './world.ts'

/**
 * Something that a caller, a worker, the venue or the clock does to a booking, as the activities do
 * it; and what the model says becomes of it when nobody else acts.
 */
export type Operation = {
  name: string
  /** how often it is drawn among callers that contend, relative to the others */
  weight: number
  /** how many callers it stands for; one where nothing is said */
  callers?: number
  /** what it is done to: a request that is new, or a booking that stands so */
  on: 'request' | readonly BookingStatus[]
  /** what a new request is for; a booking that is confirmed at once where nothing is said */
  purpose?: 'hold'
  /** at venues of these kinds only */
  at?: readonly ConfirmMode[]
  /** by a clock at which the slot is over: not where others still wait for it */
  isLate?: true
  run(world: World, start: BookingStart, wish: Wish): Promise<Outcome>
  predict: Predict
}

/**
 * Whether this can be done at a venue of that kind to what stands so; undefined stands for nothing.
 */
export const fits = (
  { on, at }: Operation,
  confirmMode: ConfirmMode,
  status: Outcome | undefined,
): boolean =>
  (at === undefined || at.includes(confirmMode)) &&
  (on === 'request' || (on as readonly (Outcome | undefined)[]).includes(status))

const now = () => new Date()
/** So many hours from now. */
export const soonAfter = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const decide = async (world: World, start: BookingStart, at: Date) =>
  outcomeOf(world, start, await decideBooking(world.db, start, stepDeps, at))

const open = async (world: World, start: BookingStart) => {
  const opening = await openBooking(world.db, start, now())
  return 'refusal' in opening
    ? outcomeOf(world, start, { answer: opening, state: null })
    : opening.status
}

/** Does what is due at a booking by this clock, as its workflow does. */
export const actDue = async ({ db }: World, start: BookingStart, at: Date) =>
  (await actWhenDue(db, start, stepDeps, at)).status

/** Venues that answer for themselves: by a system, or a person. */
const asked = ['http', 'request'] as const
const peoples = ['request'] as const

/**
 * One entry for each thing that can happen to a booking; contention and sequences draw from here.
 */
export const operations: readonly Operation[] = [
  {
    name: 'book',
    weight: 26,
    on: 'request',
    run: (world, start) => decide(world, start, now()),
    predict: model.predictBooking,
  },
  {
    name: 'book, by two workers at once',
    weight: 8,
    callers: 2,
    on: 'request',
    run: async (world, start) => {
      const both = [decide(world, start, now()), decide(world, start, now())]
      const [one, other] = await Promise.all(both)
      if (!one || one !== other) throw new Error(`one was told ${one}, the other ${other}`)
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
    run: (world, start) => command(world, start, 'confirm', { at: afterItsEnd(start) }),
    predict: model.predictTooLate,
  },
  {
    name: 'the time of the hold ends',
    weight: 10,
    on: ['held', 'confirmed', 'released'],
    run: (world, start) => actDue(world, start, soonAfter(1)),
    predict: model.predictEndOfHold,
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
    name: 'run the whole decision again',
    weight: 8,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired', 'cancelled', 'completed'],
    run: (world, start) => decide(world, start, now()),
    predict: model.stays,
  },
  {
    name: 'complete when it is over',
    weight: 14,
    on: ['confirmed', 'completed', 'cancelled', 'expired'],
    isLate: true,
    run: (world, start) => actDue(world, start, afterItsEnd(start)),
    predict: model.endsAs('confirmed', 'completed'),
  },
  {
    name: 'complete too early',
    weight: 3,
    on: ['confirmed'],
    run: (world, start) => actDue(world, start, now()),
    predict: model.stays,
  },
  {
    name: 'the venue says yes',
    weight: 14,
    on: ['pending', 'offered', 'confirmed'],
    at: asked,
    run: (world, start) => venueSays(world, start, 'confirmed'),
    predict: model.predictYes,
  },
  {
    name: 'the venue says no',
    weight: 10,
    on: ['pending', 'offered', 'confirmed'],
    at: asked,
    run: (world, start) => venueSays(world, start, 'declined'),
    predict: model.predictNo,
  },
  {
    name: 'the venue cancels',
    weight: 8,
    on: ['pending', 'offered', 'confirmed', 'expired', 'cancelled'],
    at: asked,
    run: (world, start) => venueSays(world, start, 'cancelled'),
    predict: model.predictVenueCancels,
  },
  {
    name: 'the venue says yes to what is over',
    weight: 4,
    on: ['declined', 'expired', 'cancelled'],
    at: asked,
    run: (world, start) => venueSays(world, start, 'confirmed'),
    predict: model.stays,
  },
  {
    name: 'the time of the venue ends',
    weight: 10,
    on: ['pending', 'offered', 'confirmed', 'declined'],
    at: asked,
    run: venueIsSilent,
    predict: model.predictSilence,
  },
  {
    name: 'the people are reminded',
    weight: 4,
    on: ['pending', 'offered', 'confirmed'],
    at: peoples,
    run: (world, start) => actDue(world, start, soonAfter(1 / 6)),
    predict: model.stays,
  },
  {
    name: 'a person offers another time',
    weight: 14,
    on: ['pending', 'offered', 'confirmed', 'cancelled'],
    at: peoples,
    run: (world, start, { slotTime }) => venueSays(world, start, 'offered', { offered: slotTime }),
    predict: model.predictOffer,
  },
  {
    name: 'accept the offer',
    weight: 10,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired'],
    at: peoples,
    run: (world, start) => command(world, start, 'accept_offer'),
    predict: model.predictAcceptance,
  },
  {
    name: 'refuse the offer',
    weight: 6,
    on: ['pending', 'offered', 'confirmed', 'declined', 'expired'],
    at: peoples,
    run: (world, start) => command(world, start, 'refuse_offer'),
    predict: model.predictRejection,
  },
  {
    name: 'nobody came',
    weight: 6,
    on: ['confirmed', 'completed', 'no_show', 'cancelled'],
    at: peoples,
    isLate: true,
    run: (world, start) => venueSays(world, start, 'no_show', { at: afterItsEnd(start) }),
    predict: model.predictNoShow,
  },
  {
    name: 'they came after all',
    weight: 6,
    on: ['confirmed', 'completed', 'no_show'],
    at: peoples,
    isLate: true,
    run: (world, start) => venueSays(world, start, 'attended', { at: afterItsEnd(start) }),
    predict: model.endsAs('no_show', 'completed'),
  },
]
