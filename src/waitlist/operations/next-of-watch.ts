import * as shared from '../../contract/fields.ts'
import type { Watch } from '../schema.ts'

/** The fields of `nextOf`, for an output. */
export const whileWatching = {
  next: shared.next.optional(),
  retry_after: shared.retryAfter.optional(),
}

/** A hold lasts for minutes, so one that is looked for this often is not missed. */
const LOOK_SECONDS = 60

/** What to do with a live watch, until when, and when to read it again; nothing once it is over. */
export function nextOf({ id, status, hold_id, hold_until_local }: Watch) {
  const read = `Call \`GET /api/watches/${id}\` again after ${LOOK_SECONDS} seconds`
  if (status === 'watching') {
    const next = `${read}, or wait for the event \`venue.availability_opened\`.`
    return { next, retry_after: LOOK_SECONDS }
  }
  if (status !== 'offered') return {}
  const confirm = `\`POST /api/bookings\` with \`hold_id\` ${hold_id}`
  // While its venue decides, the hold has no end.
  const next = hold_until_local
    ? `Confirm the hold, which has the guest of the watch, before ${hold_until_local}: ${confirm}.`
    : `The venue decides about the hold. ${read}.`
  return { next, retry_after: LOOK_SECONDS }
}
