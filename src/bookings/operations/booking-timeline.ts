import { z } from 'zod'
import { accountOf, type Context, defineOperation } from '../../contract/operation.ts'
import { refuse } from '../../contract/rules/errors.ts'
import { NO_ENTRY, TIMELINE_KEYS_PATH, type TimelineEntry } from '../rules/timeline.ts'
import { arrivalAt } from '../rules/timeline-reasons.ts'
import { timeline } from '../schema/timeline.ts'
import { chained, isIntact, selectOptionalTimeline, type Timeline } from '../store/timeline.ts'
import * as fields from './booking-fields.ts'

const signed =
  '"venue-network/timeline-head/v1", a line feed, and the canonical JSON (RFC 8785) of booking_id, complete, entries (how many), head and signed_at'

export const bookingTimeline = defineOperation({
  name: 'booking timeline',
  summary: 'What happened to a booking, who did it and why',
  description:
    'Tells the story of a booking in plain words, oldest first. The entries are chained by hashes and the answer is signed, so that anybody can verify it later.',
  tier: 'free',
  input: z.strictObject({ id: fields.bookingId }),
  output: timeline,
  errors: ['booking_not_found'],
  async run(ctx, { id }) {
    const found = await selectOptionalTimeline(ctx.db, accountOf(ctx).id, id)
    if (!found) throw refuse('booking_not_found')
    const entries = found.isBooked ? found.entries : refusalOf(id, found)
    const head = (found.isBooked ? found.head : entries.at(-1)?.hash) ?? NO_ENTRY
    const isWhole = isIntact(id, entries, head)
    const stated = {
      booking_id: id,
      head,
      complete: !found.isBooked || entries[0]?.revision === 1,
      signed_at: ctx.at.toISOString(),
    }
    const signature = isWhole ? signatureOf(ctx, { ...stated, entries: entries.length }) : null
    return { ...stated, entries, signature }
  },
})

/** A refused request has one entry, made from its stored answer. */
function refusalOf(bookingId: string, { refusal }: Timeline): TimelineEntry[] {
  if (!refusal) return []
  const at = refusal.at.toISOString()
  const facts = {
    number: 1,
    at,
    by: 'network',
    what: arrivalAt.failed,
    why: refusal.why,
  } as const
  return [chained(bookingId, NO_ENTRY, { ...facts, revision: 0, status: 'failed' })]
}

function signatureOf(
  { timelineSigner, settings }: Context,
  head: Parameters<Context['timelineSigner']['sign']>[0],
) {
  const keysUrl = settings.publicUrl + TIMELINE_KEYS_PATH
  return { ...timelineSigner.sign(head), signed, keys_url: keysUrl }
}
