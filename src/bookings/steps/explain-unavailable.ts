import { plainWish } from '../../availability/rules/service-terms.ts'
import {
  absentIn,
  type Evaluation,
  leadersInstead,
  type PartyRequest,
  sessionInstead,
} from '../../availability/steps/evaluate-services.ts'
import { selectAlternatives } from '../../availability/store/alternatives.ts'
import { ALTERNATIVES, type ErrorCode } from '../../base/error-catalogue.ts'
import { type RefusalData, refusalData } from '../../base/errors.ts'
import type { Db } from '../../platform/database/sql.ts'
import { selectOverdueHolds } from '../store/holds.ts'

/** Why no slot is available, and when the session that was wished for by name is next free. */
export async function explainUnavailable(
  db: Db,
  request: PartyRequest,
  { choices, refusal }: Evaluation,
  at: Date,
): Promise<RefusalData> {
  const isAboutTime = !refusal || ['slot_off_grid', 'venue_closed'].includes(refusal.code)
  const instead = isAboutTime ? await sessionInstead(db, request, at) : undefined
  const { why, when, facts } = instead ?? {}
  if (why) return refusalData('slot_unavailable', `${why} ${when}`, facts)
  const own = refusal ?? (await explainTaken(db, request, choices, at))
  return instead
    ? { ...own, message: `${own.message} ${when}`, facts: { ...own.facts, ...facts } }
    : own
}

/** A slot taken only by an overdue hold will be free in a moment. */
async function explainTaken(
  db: Db,
  request: PartyRequest,
  choices: Evaluation['choices'],
  at: Date,
): Promise<RefusalData> {
  const { venueId, venueName, partySize, slotTime, timezone } = request
  const led = await leadersInstead(db, request, at)
  for (const { service, slot } of led?.free.length ? [] : choices) {
    const span = { service, from: slot.startsAt, until: slot.occupiedUntil }
    const [overdue] = await selectOverdueHolds(db, span, at)
    const remainingMs = (overdue?.ends_at?.getTime() ?? 0) - at.getTime()
    const retry_after = Math.max(0, Math.ceil(remainingMs / 1000)) + 1
    if (overdue) return refusalData('slot_held', undefined, { retry_after })
  }
  const why = led ? led.why : absentIn(choices)
  const left = `${venueName} has nothing left${led ? ` with ${led.name}` : ''}`
  const what = `${why ?? `${left} for ${partySize}`} at ${slotTime} (${timezone}).`
  const slot = { venue_id: venueId, slot_time: slotTime, party_size: partySize }
  // Nobody waits for somebody who will not be there.
  const watch = !why && { watch: { ...waitlist, input: { ...slot, ...plainWish(request) } } }
  if (!led) return refusalData('slot_unavailable', what, { ...watch })
  const { name, free, next } = led
  const others = free.length > 0 ? ` Free then: ${free.join(', ')}.` : ''
  const later = next ? ` Next free with ${name}: ${next}.` : ''
  const facts = { free_with: free, next_with: next ?? null, ...watch }
  return refusalData('slot_unavailable', what + others + later, facts)
}

/** How to watch a slot, at each door. */
const waitlist = { intent: 'watch.create', route: 'POST /api/watches', tool: 'watch_slot' }

/** The refusal with alternatives; for a change, only at the same venue. */
export async function withAlternatives(
  db: Db,
  request: PartyRequest,
  refusal: RefusalData,
  { at, isChange = false }: { at: Date; isChange?: boolean },
): Promise<RefusalData> {
  const { venueId, slotTime, partySize } = request
  const ownLast = saidByVenue.has(refusal.code)
  const query = { slotTime, partySize, at, limit: 5, ownLast, isChange, wish: request }
  const alternatives = await selectAlternatives(db, venueId, query)
  const { code, message, facts } = refusal
  const isElsewhere = code === 'party_too_large' && alternatives.length > 0
  const about = isElsewhere ? ` ${TAKE_PARTY}` : ''
  return {
    ...refusal,
    message: (isChange ? message.replace(ALTERNATIVES, OWN_TIMES) : message) + about,
    facts: { ...facts, alternatives },
  }
}

const saidByVenue: ReadonlySet<string> = new Set<ErrorCode>([
  ...(['venue_declined', 'venue_no_answer', 'offer_expired'] as const),
])
const TAKE_PARTY = '`alternatives` lists similar venues nearby that accept it, around then.'
const OWN_TIMES =
  '`alternatives` lists times of this venue, those of that day (`same_day`) first: a booking ' +
  'cannot move to another venue. Ask your user before you book another day (`other_day`).'
