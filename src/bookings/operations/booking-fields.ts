import { z } from 'zod'
import { wishFields } from '../../availability/operations/wanted-service.ts'
import type { ErrorCode } from '../../base/error-catalogue.ts'
import { languages } from '../../base/languages.ts'
import { parseSlotTime } from '../../base/local-time.ts'
import { reminderLimits } from '../../base/reminders.ts'
import * as shared from '../../contract/fields.ts'
import { ownBooking } from '../../contract/public.ts'

/** The input fields of booking operations, named identically everywhere. */
export const venueId = z
  .string()
  .regex(/^[\w-]{1,100}$/, 'expected the `id` or `slug` of a venue: search for it by name')
  .toLowerCase()
  .describe('`id` or `slug` of a venue from search or listing')
export const slotTime = z
  .string()
  .max(60)
  .overwrite(normalised)
  .describe('Local date-time at the venue without offset, as in 2026-12-24T19:00:00')
  .meta({ examples: ['2026-12-24T19:00:00'] })
export const partySize = z.int32().describe('Number of guests')
export const guest = z
  .strictObject({
    name: shared.guestName,
    phone: shared.text(40).optional(),
    email: z.email().max(200).optional(),
    notify: z
      .boolean()
      .optional()
      .describe(
        'true only if the guest agrees: emails to `email` when the booking is confirmed, ' +
          'changed or cancelled, and reminders',
      ),
    language: z
      .enum(languages)
      .optional()
      .describe('Language of the emails and the page. Default: en'),
  })
  .refine(({ notify, email }) => !notify || email !== undefined, {
    path: ['email'],
    message: 'is needed to notify the guest',
  })
  .meta({ id: 'Guest' })
  .describe('Who comes. Given only to the venue, and erased 90 days after the slot')
export const guestRef = shared
  .text(200)
  .describe(
    'Your own reference for the guest: another one is another guest. Erased 90 days after the slot',
  )
export const notes = shared.text(1000).describe('For the venue: allergies, occasion, …')
export const reminders = z
  .array(z.int().min(reminderLimits.least).max(reminderLimits.most))
  .max(reminderLimits.count)
  .describe(
    'Minutes before the slot at which to send a `booking.reminder` event, at most 5; ' +
      '[] for none. Default: 1440 and 120',
  )
  .meta({ examples: [[1440, 120]] })
export const bookingId = z.uuid().toLowerCase().describe('Booking id; a hold’s id is one too')

export const cancelledBy = z
  .enum(['guest', 'agent'])
  .default('agent')
  .describe('Who wants to cancel')

export const also = z
  .boolean()
  .optional()
  .overwrite((isAlso) => isAlso || undefined)
  .describe('true if your user wants it despite `similar_booking`')

/** The key that makes a call safe to repeat, and how long the call waits. */
export const repeatable = { idempotency_key: shared.idempotencyKey.optional(), wait: shared.wait }

/** The optional parts of a request. */
export const details = {
  guest: guest.optional(),
  guest_ref: guestRef.optional(),
  notes: notes.optional(),
  reminders: reminders.optional(),
  also,
  ...repeatable,
}

/** A request for a slot. */
export const slotRequest = z.strictObject({
  venue_id: venueId,
  slot_time: slotTime,
  party_size: partySize,
  ...wishFields,
  ...details,
})

/** The fields of an answer about a booking, to be combined with `status`. */
export const answered = {
  booking: ownBooking,
  replayed: shared.replayed.optional(),
  next: shared.next.optional(),
  retry_after: shared.retryAfter.optional(),
}

/** Whether an answer repeats the answer to an earlier request without a key. */
export const joined = z
  .boolean()
  .describe('An identical request in the last 15 minutes created this; nothing new was created')

/** Adds the optional seconds, because equal requests must have equal bodies. */
function normalised(text: string): string {
  const parsed = parseSlotTime(text)
  return 'local' in parsed ? parsed.local : text
}

/** Refusals that any request for a slot can get. */
export const slotRefusals: readonly ErrorCode[] = [
  'service_not_offered',
  'slot_time_has_offset',
  'slot_in_past',
  'slot_off_grid',
  'venue_closed',
  'lead_time',
  'beyond_horizon',
  'party_too_small',
  'party_too_large',
  'slot_unavailable',
]

/** Refusals that any command to a booking can get. */
export const commandRefusals: readonly ErrorCode[] = [
  'booking_not_found',
  'already_final',
  'idempotency_mismatch',
  'command_limit',
  'booking_engine_unavailable',
]
