import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { zonedMinute } from '../../base/local-time.ts'
import type { Booking } from '../../contract/public.ts'

/** The next step while an answer is missing, and the seconds until the next look. */
export type Patience = { next: string; retry_after: number }

type Pending = Pick<
  Booking,
  'id' | 'timezone' | 'confirm_mode' | 'answer_by' | 'offer' | 'change' | 'updated_at'
>

const REPEAT = 'Repeat this request with the same payment'

/** While the network decides. */
const SOON_SECONDS = 2
/** A venue’s system is asked repeatedly; more frequent looks do not help. */
const MAX_SYSTEM_SECONDS = 30
/** A person may answer at any time before the deadline: a few looks are enough. */
const MIN_PERSON_SECONDS = 30
const MAX_PERSON_SECONDS = 1_800
const LOOKS_FOR_PERSON = 8
/** The agent must answer an offer: nothing happens before. */
const OFFER_SECONDS = 60

/** A person's time in opening hours; a later deadline means that nobody is there now. */
const PRESENT_MS = 30 * MINUTE_MS

/** Whether nobody at the venue can answer soon, so that waiting does not help. */
export const isUnattended = ({ confirm_mode, answer_by }: Pending, at: Date): boolean =>
  confirm_mode === 'request' &&
  answer_by !== null &&
  Date.parse(answer_by) - at.getTime() > PRESENT_MS

/** Whether an answer about the booking is missing. */
export const isAwaited = ({ status, change }: Pick<Booking, 'status' | 'change'>): boolean =>
  status === 'pending' || status === 'offered' || change !== null

/** Who answers a pending booking and by when, in the venue’s time. Only a key can read it. */
export function whileWaiting(booking: Pending, at: Date, isKeyless = false): Patience {
  const { id, timezone, confirm_mode, answer_by, offer, change } = booking
  const local = (deadline: string) => zonedMinute(timezone, new Date(deadline))
  if (offer) {
    const other = offer.slot_time.slice(0, 16).replace('T', ' ')
    const until = local(offer.answer_by)
    const next =
      `The venue offers ${other} (${timezone}) instead. Ask your user, then accept or refuse it ` +
      `before ${until}.`
    return { next, retry_after: OFFER_SECONDS }
  }
  const deadline = change?.answer_by ?? answer_by
  if (deadline === null) {
    const next = isKeyless
      ? `${REPEAT} in a few seconds.`
      : `Read the booking ${id} in a few seconds, or repeat this request to wait for it.`
    return { next, retry_after: SOON_SECONDS }
  }
  const isPerson = confirm_mode === 'request'
  const retry_after = (isPerson ? secondsForPerson : secondsForSystem)(booking, deadline, at)
  const who = isPerson
    ? 'A person at the venue answers in its opening hours'
    : `The venue’s system decides about ${change ? 'the change' : 'the booking'}`
  const unlike = isPerson ? ' Tell your user that it is not confirmed yet.' : ''
  const later = `after ${retry_after} seconds`
  const look = isKeyless
    ? `${REPEAT} ${later}.`
    : `Read the booking ${id} again ${later}, or wait for its webhook event.`
  const next = `${who}, by ${local(deadline)}.${unlike} ${look}`
  return { next, retry_after }
}

const between = (least: number, seconds: number, most: number) =>
  Math.min(Math.max(Math.ceil(seconds), least), most)

const secondsForPerson = (_: Pending, deadline: string, at: Date) =>
  between(
    MIN_PERSON_SECONDS,
    (Date.parse(deadline) - at.getTime()) / SECOND_MS / LOOKS_FOR_PERSON,
    MAX_PERSON_SECONDS,
  )

/** Doubles the venue's time so far. */
const secondsForSystem = ({ updated_at }: Pending, _: string, at: Date) =>
  between(SOON_SECONDS, (at.getTime() - Date.parse(updated_at)) / SECOND_MS, MAX_SYSTEM_SECONDS)
