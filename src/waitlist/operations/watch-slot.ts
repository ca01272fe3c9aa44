import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import { wishFields } from '../../availability/operations/wanted-service.ts'
import { MINUTE_MS } from '../../base/durations.ts'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { type FoundSlot, findSlot } from '../../bookings/operations/requested-slot.ts'
import { guestOf } from '../../bookings/operations/store-request.ts'
import { inTurn } from '../../bookings/steps/account-turns.ts'
import { isGuestKnown } from '../../bookings/store/guests.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, type Context, defineOperation, ofAccount } from '../../contract/operation.ts'
import type { WaitlistContext } from '../engine.ts'
import { MAX_FLEX_MINUTES, MAX_TURNS, MAX_WATCHES } from '../rules/entry.ts'
import { type Watch, watch } from '../schema.ts'
import type { NewEntry } from '../store/entries.ts'
import { selectOptionalEntryOf } from '../store/entry-view.ts'
import { nextOf, whileWatching } from './next-of-watch.ts'
import { recordWatch } from './record-watch.ts'

const flexMinutes = z.int().min(0).max(MAX_FLEX_MINUTES).default(0)

const input = z.strictObject({
  venue_id: fields.venueId,
  slot_time: fields.slotTime,
  party_size: fields.partySize,
  ...wishFields,
  flex_minutes: flexMinutes.describe('Slots that begin this much earlier or later fit too'),
  until: z.iso
    .datetime()
    .optional()
    .describe('When to stop waiting, RFC 3339 in UTC. Default: when the slot begins'),
  guest: fields.guest.optional(),
  guest_ref: fields.guestRef.optional(),
  notes: fields.notes.optional(),
  idempotency_key: shared.idempotencyKey.optional(),
})

export const watchSlot = defineOperation({
  name: 'watch slot',
  summary: 'Join the queue of a full slot',
  description:
    'Joins the queue of a full slot. As soon as a place is released, it is held for the first ' +
    'matching watch: its status becomes `offered`, with `hold_id` and `hold_until`, and the ' +
    'event `venue.availability_opened` is sent. The hold has the guest of the watch: confirm it ' +
    'like any other, with its `hold_id` alone. A hold that ' +
    'you let lapse goes to the next watch, and you move to the end of the queue; after ' +
    `${MAX_TURNS} lapsed holds the watch ends. An account can have ${MAX_WATCHES} watches at a ` +
    'time. A free slot is refused: book it. Needs pro or a saved card.',
  tier: 'pro',
  scope: 'bookings',
  input,
  output: z.object({
    watch,
    replayed: shared.replayed.optional(),
    joined: z
      .boolean()
      .describe('You already watch this slot for this guest; this is the existing watch'),
    ...whileWatching,
  }),
  errors: [
    'venue_not_found',
    'venue_removed',
    ...fields.slotRefusals,
    'slot_available',
    'watch_limit',
    'booking_limit',
    'slot_given_back_too_often',
    'idempotency_mismatch',
  ],
  async run(ctx: WaitlistContext, { idempotency_key: key, ...request }) {
    const { body, ...found } = await findSlot(ctx, request)
    const entry = newEntry(ctx, request, found)
    const { limits } = ctx.dryRunDeps.terms
    const { id, repeats } = await inTurn(ctx.db, entry.start, () =>
      recordWatch(ctx, entry, body, key, limits),
    )
    // Best effort: otherwise the scan starts the workflow.
    if (repeats === 'nothing') await ctx.engine.notifyEntry(entry.start).catch(() => {})
    const stored = await selectOptionalEntryOf(ctx.db, entry.start.accountId, id)
    if (!stored) throw new Error(`watch ${id} does not exist`)
    const joined = repeats === 'equal watch'
    const { next, ...read } = nextOf(stored)
    const isOther = joined && !(await hasGuest(ctx, stored, entry))
    const said = [next, isOther && KEEPS_GUEST].filter(Boolean)
    return {
      watch: stored,
      ...(repeats === 'key' && { replayed: true }),
      joined,
      ...(said.length > 0 && { next: said.join(' ') }),
      ...read,
    }
  },
})

const KEEPS_GUEST =
  'The watch keeps the guest and notes that it has: to change them, give yours when you confirm ' +
  'its hold.'

/** Whether a watch has all that a request says of its guest. */
const hasGuest = async ({ db }: Context, { id, guest_ref }: Watch, { guest, guestRef }: NewEntry) =>
  (guestRef ?? guest_ref) === guest_ref && (await isGuestKnown(db, id, guest?.details ?? {}))

type Request = Omit<z.output<typeof input>, 'idempotency_key'>

function newEntry(
  ctx: WaitlistContext,
  request: Request,
  { venue, slot, wish }: Omit<FoundSlot<Request>, 'body'>,
): NewEntry {
  const flexMs = request.flex_minutes * MINUTE_MS
  const wantedAt = slot.startsAt.getTime()
  const latest = new Date(wantedAt + flexMs)
  const asked = request.until === undefined ? latest : new Date(request.until)
  const until = asked < latest ? asked : latest
  return {
    start: {
      entryId: randomUUIDv7(),
      ...ofAccount(accountOf(ctx)),
      venueSlug: venue.slug,
      venueName: venue.name,
      slotTime: slot.local,
      timezone: venue.timezone,
      startsAt: slot.startsAt.toISOString(),
      partySize: request.party_size,
      ...wish,
    },
    venueId: venue.id,
    flexMinutes: request.flex_minutes,
    earliest: new Date(wantedAt - flexMs),
    latest,
    until,
    holdSeconds: ctx.settings.watchHoldSeconds,
    guestRef: request.guest_ref ?? null,
    guest: guestOf(request, latest),
    door: ctx.door,
    fromAgent: ctx.from,
    at: ctx.at,
  }
}
