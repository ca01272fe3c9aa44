import { z } from 'zod'
import { isWish, wishFields } from '../../availability/operations/wanted-service.ts'
import { plainWish } from '../../availability/rules/service-terms.ts'
import { invalidRequest, Refusal } from '../../base/errors.ts'
import { defineOperation } from '../../contract/operation.ts'
import { cancellation, type OwnBooking, ownBooking } from '../../contract/public.ts'
import { previousBooking } from '../../webhooks/schema/event-bodies.ts'
import type { BookingContext } from '../engine.ts'
import type { BookingStart } from '../rules/booking-messages.ts'
import { changeNotes } from '../rules/cost-notes.ts'
import { inTurn } from '../steps/account-turns.ts'
import { dryRunAmend } from '../steps/amend.ts'
import { ownBookingOf } from '../steps/guest-link.ts'
import { similarNotes } from '../steps/similar.ts'
import { selectBooking, selectOwnFields } from '../store/booking-view.ts'
import * as fields from './booking-fields.ts'
import { findWish, movedSlot } from './requested-slot.ts'
import { type CommandResult, resultOf, startOf, submitCommand } from './submit-command.ts'

const DRY_RUN = 'This was a dry run: nothing was changed. To change it, send it without `dry_run`.'

export const amendBooking = defineOperation({
  name: 'amend booking',
  summary: 'Move a booking to another slot or party size',
  description:
    'Changes time, number of guests, service or person, at the same venue; the booking keeps its ' +
    'id. Either the whole change is made or none of it. The fee follows the number of guests. ' +
    'With `dry_run` it says whether the change is possible now and what it costs, and changes ' +
    'nothing. A venue with its own system, or people who confirm, is asked first (202 ' +
    '`pending`): until it agrees, the booking stays as it is, with `change`. Needs pro or a ' +
    'saved card.',
  tier: 'pro',
  scope: 'bookings',
  input: z.strictObject({
    id: fields.bookingId,
    slot_time: fields.slotTime
      .optional()
      .describe('Local date-time at the venue, or a time (19:00) of the same day'),
    party_size: fields.partySize.optional(),
    ...wishFields,
    dry_run: z.boolean().default(false).describe('Only report what the change would do'),
    ...fields.repeatable,
  }),
  output: z.object({
    status: z.enum(['amended', 'possible', 'unchanged', 'pending']),
    ...fields.answered,
    booking: ownBooking.describe('As it is now or, for a dry run, as it would be'),
    amended: z
      .object({ from: previousBooking })
      .optional()
      .describe('What it was before or, for a dry run, is now'),
    cancellation: cancellation.optional().describe('What cancelling would then cost'),
  }),
  errors: [
    ...fields.commandRefusals,
    ...fields.slotRefusals,
    'slot_held',
    'booking_limit',
    'slot_given_back_too_often',
    'not_decided_yet',
    'amend_not_supported',
    'part_of_itinerary',
    'too_many_changes',
    'hold_expired',
    'venue_declined',
    'venue_no_answer',
    'booking_cancelled',
    'fee_above_authorized',
  ],
  fixed: {
    venue_id: 'a booking cannot move to another venue: cancel it and book there',
    guest: 'the guest cannot be changed: cancel the booking and book again',
    guest_ref: 'the reference cannot be changed: cancel the booking and book again',
    notes: 'the notes cannot be changed: cancel the booking and book again',
  },
  async run(ctx: BookingContext, { id, dry_run, idempotency_key, wait, ...change }) {
    const { slot_time, party_size, ...wish } = change
    if (Object.values(change).every((one) => one === undefined)) {
      const detail = 'is required unless something else is to change'
      throw invalidRequest([{ pointer: '/slot_time', detail }])
    }
    const start = await startOf(ctx, id)
    const input = {
      ...(slot_time !== undefined && {
        slot_time: movedSlot(ctx, start, slot_time),
      }),
      ...(party_size !== undefined && { party_size }),
      ...(isWish(wish) && plainWish(await findWish(ctx, start, wish))),
    }
    if (dry_run) {
      // Runs in the API and is rolled back, without involving the workflow or the venue.
      const context = { ...ctx.dryRunDeps, at: ctx.at }
      const answer = await inTurn(ctx.db, start, () => dryRunAmend(ctx.db, start, input, context))
      if ('refusal' in answer) throw new Refusal(answer.refusal)
      const own = { ...answer.booking, ...(await selectOwnFields(ctx.db, id)) }
      const { revision, updated_at } = await selectBooking(ctx.db, id)
      const booking = { ...ownBookingOf(ctx, own), revision, updated_at }
      const status = answer.amended ? ('possible' as const) : ('unchanged' as const)
      const notes = await notesOf(ctx, start, booking, answer.amended, true)
      return { ...answer, status, booking, next: [DRY_RUN, ...notes].join(' ') }
    }
    const result = await submitCommand(ctx, { id, kind: 'amend', input, idempotency_key, wait })
    const { amended, cancellation, booking } = result.answer
    const notes = await notesOf(ctx, start, booking, amended, false)
    return {
      ...(notes.length > 0 && { next: notes.join(' ') }),
      ...resultOf(result, amended ? 'amended' : 'unchanged'),
      ...(amended && { amended }),
      ...(cancellation && { cancellation }),
    }
  },
})

/** What a change costs, and which booking the changed one resembles. */
async function notesOf(
  { db, at }: BookingContext,
  start: BookingStart,
  booking: OwnBooking,
  amended: CommandResult['answer']['amended'],
  isDry: boolean,
): Promise<string[]> {
  if (!amended) return isDry ? changeNotes(booking, {}, isDry, at) : []
  const similar = await similarNotes(db, start, booking, at)
  return [...similar, ...changeNotes(booking, amended.from, isDry, at)]
}
