import { z } from 'zod'
import { refuse } from '../../base/errors.ts'
import { accountOf, defineOperation } from '../../contract/operation.ts'
import type { BookingContext } from '../engine.ts'
import { NO_ENTRY, TIMELINE_KEYS_PATH } from '../rules/timeline.ts'
import { arrivalAt } from '../rules/timeline-reasons.ts'
import { timeline } from '../schema/timeline.ts'
import { chained, isIntact, selectOptionalTimeline } from '../store/timeline.ts'
import * as fields from './booking-fields.ts'

const signedText =
  '"venue-network/timeline-head/v1", a line feed, and the canonical JSON (RFC 8785) of ' +
  'booking_id, complete, entries (how many), head and signed_at'

export const bookingTimeline = defineOperation({
  name: 'booking timeline',
  summary: 'What happened to a booking, who did it and why',
  description:
    'Returns what happened to a booking in plain words, oldest first. The entries are chained ' +
    'by hashes and the answer is signed, so that anybody can verify it later.',
  part: 'bookings',
  input: z.strictObject({ id: fields.bookingId }),
  output: timeline,
  errors: ['booking_not_found'],
  async run(ctx: BookingContext, { id }) {
    const row = await selectOptionalTimeline(ctx.db, accountOf(ctx).id, id)
    if (!row) throw refuse('booking_not_found')
    const { is_booked, refusal, refused_at } = row
    const entries = is_booked ? row.entries : entriesOfRefusal(id, refusal, refused_at)
    const head = (is_booked ? row.head : entries.at(-1)?.hash) ?? NO_ENTRY
    const stated = {
      booking_id: id,
      head,
      complete: !is_booked || entries[0]?.revision === 1,
      signed_at: ctx.at.toISOString(),
    }
    if (!isIntact(id, entries, head)) return { ...stated, entries, signature: null }
    const signature = ctx.timelineSigner.sign({ ...stated, entries: entries.length })
    const keys_url = ctx.settings.publicUrl + TIMELINE_KEYS_PATH
    return { ...stated, entries, signature: { ...signature, signed: signedText, keys_url } }
  },
})

/** A refused request has one entry, built from its stored answer. */
function entriesOfRefusal(bookingId: string, why: string | null, at: string | null) {
  if (why === null || at === null) return []
  const facts = { number: 1, at, by: 'network', what: arrivalAt.failed, why } as const
  return [chained(bookingId, NO_ENTRY, { ...facts, revision: 0, status: 'failed' })]
}
