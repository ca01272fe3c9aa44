import type { BookingStart, Call } from '../../bookings/rules/booking-messages.ts'
import type { Pool } from '../../platform/database/sql.ts'
import type { Outbound } from '../../platform/http/client.ts'
import type { Sealer } from '../../platform/sealing/sealing.ts'
import type { Log } from '../../platform/telemetry/log.ts'
import { bookingState } from '../schema/venue-responses.ts'
import { connectorContext } from '../store/connectors.ts'
import { markChangeSent } from '../store/open-changes.ts'
import { selectOptionalVenueQuestion, type VenueQuestion } from '../store/venue-questions.ts'
import { insertStatedResponse } from '../store/venue-responses.ts'
import { markSent } from '../store/venue-sync.ts'
import { askVenue } from '../venue-call.ts'
import type { VenueCall } from '../venue-metrics.ts'
import { type Message, messageTo } from './venue-messages.ts'

/** What the calls to venues need; `publicUrl` is where venues post what they state later. */
export type VenueDeps = {
  db: Pool
  outbound: Outbound
  sealer: Sealer
  publicUrl: string
  log: Log
  count: (call: VenueCall) => void
}

/** `signal` cancels the call in progress. */
type CallDeps = VenueDeps & { signal: AbortSignal }

/**
 * Says to the venue what is due: the booking or a change of it, once; afterwards, or when a call was lost, the question what became of
 * it, and the same again only where the venue has never heard of it; a withdrawal; what holds again after a change that is off. A yes
 * or no is written down before this returns.
 */
export async function callVenue(
  venueDeps: VenueDeps,
  { bookingId }: BookingStart,
  signal: AbortSignal,
): Promise<Call> {
  const deps = { ...venueDeps, signal }
  const question = await selectOptionalVenueQuestion(deps.db, bookingId)
  if (question?.venue_sync === 'withdraw_due') return tell(deps, question, 'booking.cancel')
  if (question?.change_phase === 'restoring') return tell(deps, question, 'booking.amend')
  if (!question || !isAsked(question)) return { asked: null, heard: null }
  const isChange = question.change_phase === 'asked'
  const [message, markAsSent] = isChange
    ? (['booking.amend', markChangeSent] as const)
    : (['booking.confirm', markSent] as const)
  const isConnected = question.url !== null
  if (isConnected && (await markAsSent(deps.db, bookingId))) return tell(deps, question, message)
  if (!(await isStillAsked(deps, question))) return { asked: null, heard: null }
  const known = await tell(deps, question, 'booking.status')
  const knows = isChange ? knowsChange(known, question) : known.heard !== 'unknown'
  if (known.heard === null || knows || !(await isStillAsked(deps, question))) return known
  return tell(deps, question, message)
}

const isAsked = ({ status, change_phase }: VenueQuestion) =>
  status === 'pending' || change_phase === 'asked'

/** It speaks of the change, or of the end of the booking; otherwise of what it was before. */
const knowsChange = ({ heard, revision = 0 }: Call, { asked_revision }: VenueQuestion) =>
  heard === 'cancelled' || revision >= (asked_revision ?? 0)

/** The agent may have cancelled since the question was read: then nobody asks the venue, which would not be told of the end. */
async function isStillAsked({ db }: VenueDeps, asked: VenueQuestion): Promise<boolean> {
  const now = await selectOptionalVenueQuestion(db, asked.booking_id)
  if (!now || !isAsked(now) || now.asked_revision !== asked.asked_revision) return false
  return now.status !== 'pending' || now.venue_sync !== 'not_sent' || now.url === null
}

async function tell(deps: CallDeps, question: VenueQuestion, asked: Message): Promise<Call> {
  const started = performance.now()
  const answer = await ask(deps, question, asked)
  const result = answer.failure ?? answer.heard ?? 'nothing'
  deps.count({ message: asked, result, ms: performance.now() - started })
  const line = { booking_id: question.booking_id, venue: question.venue_slug, asked, ...answer }
  if (answer.failure) deps.log.warn(line, 'a venue did not answer')
  else deps.log.info(line, 'a venue answered')
  return { asked, ...answer }
}

async function ask(
  { db, outbound, sealer, publicUrl, signal }: CallDeps,
  question: VenueQuestion,
  asked: Message,
): Promise<Omit<Call, 'asked'>> {
  const { booking_id: bookingId, venue_id: venueId, url, secret: sealed } = question
  if (!url || !sealed) return { heard: null, failure: 'the venue is no longer connected' }
  const secret = sealer.open(sealed, connectorContext(venueId))
  const answer = await askVenue(outbound, { url, secret }, messageTo(question, asked, publicUrl), {
    maxBodyBytes: 64 * 1024,
    signal: isRepeated(question) ? signal : untilAnswerBy(question, signal),
  })
  if ('failure' in answer) return { heard: null, failure: answer.failure }
  const { data: statement } = bookingState.safeParse(answer.statement)
  if (statement?.booking_id !== bookingId)
    return { heard: null, failure: 'not a statement about it' }
  const { messageId: id, receivedAt } = answer
  await insertStatedResponse(db, { id, receivedAt }, statement)
  return { heard: statement.status, revision: statement.revision }
}

/** What is said until the venue agrees has no time that is over. */
const isRepeated = ({ venue_sync, change_phase }: VenueQuestion) =>
  venue_sync === 'withdraw_due' || change_phase === 'restoring'

/** An answer that comes later cannot count: nobody waits for it. */
function untilAnswerBy({ answer_by }: VenueQuestion, signal: AbortSignal): AbortSignal {
  const left = (answer_by?.getTime() ?? 0) - Date.now()
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, left))])
}
