import { randomUUIDv7 } from 'node:crypto'
import { z } from 'zod'
import * as fields from '../../bookings/operations/booking-fields.ts'
import { findSlot } from '../../bookings/operations/open-request.ts'
import * as shared from '../../contract/fields.ts'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import type { Db } from '../../platform/database/sql.ts'
import { MOST_FLEX_MINUTES, MOST_TURNS, MOST_WATCHES } from '../rules/entry.ts'
import { type Watch, watch } from '../schema.ts'
import type { NewEntry } from '../store/entries.ts'
import { selectOptionalEntryOf } from '../store/entry-view.ts'
import { recordWatch } from './record-watch.ts'

const input = z.strictObject({
  venue_id: fields.venueId,
  slot_time: fields.slotTime,
  party_size: fields.partySize,
  flex_minutes: z
    .int()
    .min(0)
    .max(MOST_FLEX_MINUTES)
    .default(0)
    .describe('So much earlier or later is welcome too'),
  until: z.iso
    .datetime()
    .optional()
    .describe('Instant until which to wait, RFC 3339 in UTC; without it until the slot begins'),
  idempotency_key: shared.idempotencyKey.optional(),
})

export const watchSlot = defineOperation({
  name: 'watch slot',
  summary: 'Wait for a place at a full slot',
  description:
    'Queues for a slot that is full. The moment a place is given back it is held for the first in the queue whom it fits: the watch is ' +
    '`offered` then, and says `hold_id` and `hold_until`, as the event `venue.availability_opened` does. Confirm the hold as any other. ' +
    `One that you let go passes to the next, and you wait at the back; after ${MOST_TURNS} the watch ends. At most ${MOST_WATCHES} ` +
    'at a time. A slot that is free is refused: book it. Needs the pro tier.',
  tier: 'pro',
  input,
  output: z.object({
    watch,
    replayed: shared.replayed.optional(),
    joined: z.boolean().optional().describe('You watch this slot already: this is that watch'),
    next: shared.next,
  }),
  errors: [
    'venue_not_found',
    ...fields.slotRefusals,
    'slot_available',
    'watch_limit',
    'idempotency_mismatch',
  ],
  async run(ctx, { idempotency_key: key, ...asked }) {
    const wanted = await newWatch(ctx, asked)
    const { id, repeats } = await recordWatch(ctx, wanted, asked, key)
    // Best effort: the look-out starts it otherwise.
    if (repeats === 'nothing') await ctx.engine.notifyEntry(wanted.start).catch(() => {})
    return {
      watch: await selectWatch(ctx.db, accountOf(ctx).id, id),
      ...(repeats === 'key' && { replayed: true }),
      ...(repeats === 'equal watch' && { joined: true }),
      next: `Read the watch ${id}, or wait for the event \`venue.availability_opened\`.`,
    }
  },
})

async function newWatch(
  ctx: Context,
  asked: Omit<z.output<typeof input>, 'idempotency_key'>,
): Promise<NewEntry> {
  const { venue, slot } = await findSlot(ctx, asked)
  const flexMs = asked.flex_minutes * 60_000
  const wanted = slot.startsAt.getTime()
  const latest = new Date(wanted + flexMs)
  const until = asked.until === undefined ? latest : new Date(asked.until)
  return {
    start: {
      watchId: randomUUIDv7(),
      accountId: accountOf(ctx).id,
      venueSlug: venue.slug,
      venueName: venue.name,
      slotTime: slot.local,
      timezone: venue.timezone,
      startsAt: slot.startsAt.toISOString(),
      partySize: asked.party_size,
    },
    venueId: venue.id,
    flexMinutes: asked.flex_minutes,
    earliest: new Date(wanted - flexMs),
    latest,
    until: until < latest ? until : latest,
    holdSeconds: ctx.settings.watchHoldSeconds,
    door: ctx.door,
    fromAgent: ctx.from,
    at: ctx.at,
  }
}

async function selectWatch(db: Db, accountId: string, id: string): Promise<Watch> {
  const found = await selectOptionalEntryOf(db, accountId, id)
  if (!found) throw new Error(`watch ${id} does not exist`)
  return found
}
