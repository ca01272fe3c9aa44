import { MINUTE_MS, SECOND_MS } from '../../base/durations.ts'
import { zonedMinute } from '../../base/local-time.ts'
import type { Booking } from '../../contract/public.ts'
import { venueNotes } from './cost-notes.ts'

/** What to do until an answer arrives, and when to check again, in seconds. */
export type Patience = { next: string; retry_after: number }

type Awaited = 'answer_by' | 'offer' | 'change' | 'updated_at' | 'fee' | 'deposit' | 'is_demo'
type Pending = Pick<Booking, 'id' | 'timezone' | 'confirm_mode' | Awaited>

const REPEAT = 'Repeat this request with the same payment'

/** Applies while the network is deciding. */
const SOON_SECONDS = 2
/** The network keeps asking a venue’s system; checking more often does not help. */
const MAX_SYSTEM_SECONDS = 30
/** A person may answer at any time before the deadline, so a few checks are enough. */
const MIN_PERSON_SECONDS = 30
const MAX_PERSON_SECONDS = 1_800
const LOOKS_FOR_PERSON = 8
/** Nothing happens until the agent answers the offer. */
const OFFER_SECONDS = 60

/** How long a person has in opening hours; a later deadline means that the venue is closed now. */
const PRESENT_MS = 30 * MINUTE_MS

/** Whether nobody at the venue can answer soon, so that waiting is pointless. */
export const isUnattended = ({ confirm_mode, answer_by }: Pending, at: Date): boolean =>
  confirm_mode === 'request' &&
  answer_by !== null &&
  Date.parse(answer_by) - at.getTime() > PRESENT_MS

/** Whether the booking still awaits an answer. */
export const isAwaited = ({ status, change }: Pick<Booking, 'status' | 'change'>): boolean =>
  status === 'pending' || status === 'offered' || change !== null

/** Who must answer a pending booking and by when, in the venue’s time, and what the venue asks. */
export function whileWaiting(booking: Pending, at: Date, isKeyless = false): Patience {
  const { next, retry_after } = answererOf(booking, at, isKeyless)
  const { deposit = booking.deposit } = booking.offer ?? booking.change ?? {}
  return { next: [next, ...venueNotes({ ...booking, deposit })].join(' '), retry_after }
}

function answererOf(booking: Pending, at: Date, isKeyless: boolean): Patience {
  const { id, timezone, confirm_mode, answer_by, offer, change } = booking
  const local = (deadline: string) => zonedMinute(timezone, new Date(deadline))
  if (offer) {
    const other = offer.slot_time.slice(0, 16).replace('T', ' ')
    const until = local(offer.answer_by)
    const next =
      `The venue offers ${other} (${timezone}) instead. Ask your user, then accept it before ` +
      `${until}: \`POST /api/bookings/${id}/offer/accept\`; or refuse it: ` +
      `\`POST /api/bookings/${id}/offer/refuse\`.`
    return { next, retry_after: OFFER_SECONDS }
  }
  const deadline = change?.answer_by ?? answer_by
  if (deadline === null) {
    const next = isKeyless
      ? `${REPEAT} in a few seconds.`
      : `Call \`GET /api/bookings/${id}\` in a few seconds, or repeat this request to wait for it.`
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
    : `Call \`GET /api/bookings/${id}\` again ${later}, or wait for its webhook event.`
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

/** Wait as long again as the venue has taken so far. */
const secondsForSystem = ({ updated_at }: Pending, _: string, at: Date) =>
  between(SOON_SECONDS, (at.getTime() - Date.parse(updated_at)) / SECOND_MS, MAX_SYSTEM_SECONDS)
